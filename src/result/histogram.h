// Counts of values between edges: bin i holds edges[i] <= value < edges[i + 1]; the last bin holds
// its upper edge too. Empty: not known.
#pragma once

#include <cstdint>
#include <vector>

namespace debrief::result {

struct Histogram {
  std::vector<double> edges; ///< one more than counts
  std::vector<std::int64_t> counts;

  bool empty() const { return counts.empty(); }
};

} // namespace debrief::result
