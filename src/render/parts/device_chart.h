// How devices were used as a drawing: a box for each.
#pragma once

#include "render/parts/chart.h"
#include "render/parts/devices.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::render {

/// So many devices are drawn at most: of more, those with the lowest and the highest medians, which
/// the caption says.
inline constexpr std::size_t kMaxBoxes = 64;
inline constexpr std::size_t kMinBoxes = 4; ///< of fewer GPUs a section has the table alone

/// Devices of one metric after those of another, each with a color of its own. Nothing where no
/// device has a median. `noun`: what the devices are, "GPUs".
std::optional<Chart> device_chart(std::string caption, const Devices& devices,
                                  std::string_view noun);

} // namespace debrief::render
