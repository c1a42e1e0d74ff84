// Shapes of an operator's inputs for reading.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace debrief::aggregate {

/// Longer ones are cut off: operators over lists have hundreds of inputs.
inline constexpr std::size_t kMaxShapesText = 200;

/// "[[8192, 50257], [], [[2], [3]]]" -> "[8192, 50257] [] [[2], [3]]".
std::string readable_shapes(std::string_view dims);

} // namespace debrief::aggregate
