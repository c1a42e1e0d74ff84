// What a mark stands for: a closed set, so that the same thing has one color in every chart of
// every page (chart/meaning.h).
#pragma once

namespace debrief {

enum class Meaning {
  compute,       ///< kernels, busy GPUs, training steps
  data,          ///< waiting on the data loader
  disk,          ///< waiting on storage
  communication, ///< collectives
  launch,        ///< the CPU: operators, launches, waits for its next launch
  copy,          ///< memory copies and memsets
  between,       ///< between steps, evaluation, stalls
  startup,       ///< startup and shutdown
  model,         ///< work for nothing: the model no longer learned
  idle,          ///< other idle time
  unmeasured     ///< hatched
};

} // namespace debrief
