// What of the time that was paid for is lost.
#pragma once

#include "result/findings.h"

namespace debrief::result {

/// Hours that were measured and not busy: what findings take, and the rest.
inline double lost_hours(const Waste& waste) {
  double sum = waste.other;
  for (const WastePart& part : waste.parts)
    sum += part.hours;
  return sum;
}

/// Below this share of what was paid, time without a sample is not spoken of: shares of what was
/// measured and shares of the whole look the same.
inline constexpr double kUnmeasuredSaid = 0.01;

} // namespace debrief::result
