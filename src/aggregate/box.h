// A distribution as a box: quartiles, whiskers at 1.5 times the box's height, and ends.
#pragma once

#include <span>

namespace debrief::aggregate {

struct Box {
  double min = 0;
  double p05 = 0;
  double p25 = 0;
  double p50 = 0;
  double p75 = 0;
  double p95 = 0;
  double max = 0;

  double lower() const; ///< whisker
  double upper() const;
};

/// `values` is not empty.
Box box_of(std::span<const double> values);

} // namespace debrief::aggregate
