// The stretches of a job along the time axis, a lane for each kind of stretch.
#pragma once

#include "chart/time_panel.h"

#include <string>
#include <vector>

namespace debrief::chart {

struct Stretch {
  std::string name; ///< stretches of one name share a lane
  TimeSpan span;
  std::string tip;
};

/// Lanes are in the order in which their names first appear; what has a name beyond these is in one
/// lane "others".
inline constexpr std::size_t kMaxLanes = 6;

std::string phase_strip(const TimePanel& panel, const std::vector<Stretch>& stretches);

} // namespace debrief::chart
