// Sizes as people write them: "8MB", "500 kB", "2000000".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief {

/// Bytes; units are decimal, their letters' case does not matter. Nothing for anything else, and
/// for zero.
std::optional<std::uint64_t> parse_size(std::string_view text);

} // namespace debrief
