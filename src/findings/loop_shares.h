// Shares of the training loop that are known as a whole, though not moment by moment: out of a few
// profiled steps, which stand for the others, or out of SageMaker's figures.
#pragma once

#include "result/result.h"

namespace debrief::findings {

/// 0 to 1.
struct LoopShares {
  double input = 0; ///< a process waits for its next batch
  /// In collectives on the host that no compute hides, of the process that waits most: one that
  /// comes late does not wait itself, but holds up the others.
  double communication = 0;
  /// Of the time in which GPUs are busy: in collectives' own kernels, which compute nothing; mean
  /// over processes.
  double on_gpu_of_busy = 0;

  bool none() const { return input <= 0 && communication <= 0 && on_gpu_of_busy <= 0; }
};

LoopShares loop_shares(const result::Result& result);

} // namespace debrief::findings
