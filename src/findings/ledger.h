// Where the time that was paid for went, GPU by GPU: busy, lost to one cause, set aside, or not
// measured.
//
// Whatever a job has makes the same ledger: samples of GPU utilization (with steps, data-loader and
// collective events to tell causes apart), PyTorch traces, SageMaker's own figures, or, where there
// are no GPUs, steps or the cores themselves. Findings read the ledger and need not know which it
// was.
#pragma once

#include "findings/account.h"
#include "findings/ledger_bins.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::findings {

/// `logged`: only what was lost to the model is known, by the training log.
enum class Basis { none, samples, traces, recorded, steps, cores, logged };

struct Ledger {
  Basis basis = Basis::none;
  std::vector<Account> accounts;
  std::array<std::vector<TimeSpan>, kCauses> windows; ///< when each cause held: disjoint, by time
  LedgerBins bins;                                    ///< none where moments are not known
  bool without_collectives = false; ///< busy is less than sampled: collectives' kernels only wait
  bool without_copies = false; ///< busy is less than traced: the GPU copied and did nothing else
  bool by_sm_activity = false; ///< busy is less than sampled: kernels leave a GPU unfilled
  /// What the job took before and after a training loop that was too short to weigh it against is
  /// neither well spent nor lost: accounts have it under Cause::start and Cause::finish.
  bool phases_aside = false;
  std::int64_t samples = 0; ///< of the GPU, or of the cores, that have most

  bool of_gpus() const {
    return basis == Basis::samples || basis == Basis::traces || basis == Basis::recorded;
  }

  double paid() const;
  double busy() const;
  double unmeasured() const;
  double set_aside() const;

  /// All that can be judged: measured, and not set aside.
  double judged() const;

  double lost(Cause cause) const;

  /// Of what is judged, 0 to 1: what is not known is no time well spent.
  double share(Cause cause) const;

  /// Of the training loop's measured time, over GPUs that were used at all; 0 to 1.
  double busy_share_in_loop() const;
};

/// Of what is judged, 0 to 1: to all causes together.
double lost_share(const Ledger& ledger);

} // namespace debrief::findings
