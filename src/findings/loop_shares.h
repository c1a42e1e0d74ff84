// Shares of the training loop that are known as a whole, though not moment by moment: out of a few
// profiled steps, which stand for the others, or out of SageMaker's figures.
#pragma once

#include "result/result.h"

#include <optional>

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
  // Mean over GPUs, which have nothing else to do meanwhile:
  double compile = 0; ///< code is compiled or loaded
  double copy = 0;    ///< memory is copied
  double sync = 0;    ///< the host waits for the GPU, whose queue ran empty
  double outside = 0; ///< the host runs code outside PyTorch

  /// Whether traces tell nothing that the host's samples would have to be asked for.
  bool none() const { return input <= 0 && communication <= 0 && on_gpu_of_busy <= 0; }
};

LoopShares loop_shares(const result::Result& result);

// How much of the training loop went to loading data, where SageMaker's rule outputs are all that
// tells of it.

/// 0 to 1. Without workers a batch is loaded by the training process itself, so each step waits for
/// one load. Nothing where there are workers, or where a figure is missing.
std::optional<double> recorded_loading_share(const result::Result& result);

} // namespace debrief::findings
