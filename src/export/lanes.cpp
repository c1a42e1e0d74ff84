#include "export/lanes.h"

namespace debrief::exports {

std::int32_t Lanes::place(Nanoseconds start, Nanoseconds end) {
  for (std::size_t lane = 0;; ++lane) {
    if (lane == open_.size()) open_.emplace_back();
    std::vector<Nanoseconds>& ends = open_[lane];
    while (!ends.empty() && ends.back() <= start)
      ends.pop_back();
    if (!ends.empty() && ends.back() < end && lane + 1 < kMax) continue;
    ends.push_back(end);
    return static_cast<std::int32_t>(lane);
  }
}

} // namespace debrief::exports
