// Where the time that was paid for went, GPU by GPU: busy, lost to one cause, or not measured.
//
// Whatever a job has makes the same ledger: samples of GPU utilization (with steps, data-loader and
// collective events to tell causes apart), PyTorch traces, SageMaker's own figures, or, where there
// are no GPUs, steps or the cores themselves. Findings read the ledger and need not know which it
// was.
#pragma once

#include "util/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::findings {

/// Why a GPU did not work at a moment. Each lost GPU-second has exactly one cause: the first that
/// holds, in this order, so that causes come before symptoms and costs never overlap.
enum class Cause {
  idle_gpu,      ///< this GPU was never used
  start,         ///< before the training loop
  finish,        ///< after it
  io,            ///< the node's cores waited for storage
  cpu,           ///< the node's cores were saturated
  input,         ///< the process waited for its next batch
  stall,         ///< a step took much longer than its like
  between,       ///< outside of steps, and not for data
  sync,          ///< the host waited for the GPU, whose queue ran empty
  communication, ///< a collective that no compute hides
  imbalance,     ///< this GPU had less to do than the busiest one
  unexplained,   ///< none of these
};

inline constexpr std::size_t kCauses = 12;

constexpr std::size_t index_of(Cause cause) {
  return static_cast<std::size_t>(cause);
}

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

enum class Basis { none, samples, traces, recorded, steps, cores };

struct Ledger {
  Basis basis = Basis::none;
  std::vector<Account> accounts;
  std::array<std::vector<TimeSpan>, kCauses> windows; ///< when each cause held: disjoint, by time
  bool without_collectives = false; ///< busy is less than sampled: collectives' kernels only wait
  std::int64_t samples = 0;         ///< of the GPU, or of the cores, that have most

  bool of_gpus() const {
    return basis == Basis::samples || basis == Basis::traces || basis == Basis::recorded;
  }

  double paid() const;
  double busy() const;
  double unmeasured() const;
  double measured() const;
  double lost(Cause cause) const;

  /// Of what was measured, 0 to 1: what is not known is no time well spent.
  double share(Cause cause) const;

  /// Of the training loop's measured time, over GPUs that were used at all; 0 to 1.
  double busy_share_in_loop() const;
};

/// Of what was measured, 0 to 1: to all causes together.
double lost_share(const Ledger& ledger);

} // namespace debrief::findings
