// Slices of one track that overlap without nesting cannot be drawn on one line, and Perfetto drops
// them: they are spread over lanes, on each of which slices nest.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <vector>

namespace debrief::exports {

class Lanes {
public:
  /// Dirty recordings overlap without bounds; what has no place on the first lanes stays on the
  /// last.
  static constexpr std::size_t kMax = 32;

  /// The lane of the next slice; slices come by start, longest first.
  std::int32_t place(Nanoseconds start, Nanoseconds end) {
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

private:
  std::vector<std::vector<Nanoseconds>>
      open_; ///< per lane, the ends of what is open, outermost first
};

} // namespace debrief::exports
