#include "aggregate/box.h"

#include "aggregate/quantiles.h"

#include <algorithm>
#include <array>
#include <vector>

namespace debrief::aggregate {

double Box::lower() const {
  return std::max(p25 - 1.5 * (p75 - p25), min);
}

double Box::upper() const {
  return std::min(p75 + 1.5 * (p75 - p25), max);
}

Box box_of(std::span<const double> values) {
  constexpr std::array kShares = {0.0, 0.05, 0.25, 0.5, 0.75, 0.95, 1.0};
  std::vector<double> copy(values.begin(), values.end());
  const auto found = quantiles(copy, kShares);
  return {.min = found[0],
          .p05 = found[1],
          .p25 = found[2],
          .p50 = found[3],
          .p75 = found[4],
          .p95 = found[5],
          .max = found[6]};
}

} // namespace debrief::aggregate
