// What one GPU was paid for, and where that time went.
#pragma once

#include "result/waste_over_time.h"

#include <array>
#include <string>

namespace debrief::findings {

using result::Cause;
using result::index_of;
using result::kCauses;

/// Seconds by cause.
using SecondsByCause = std::array<double, kCauses>;

/// paid = busy + the sum of lost + unmeasured, in seconds.
struct Account {
  std::string node;
  std::string device; ///< empty: the node as a whole, of a job without GPUs
  double paid = 0;
  double busy = 0;
  double unmeasured = 0;
  double in_loop = 0; ///< measured seconds within the training loop
  double busy_in_loop = 0;
  SecondsByCause lost{};
};

} // namespace debrief::findings
