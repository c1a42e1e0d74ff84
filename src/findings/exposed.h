// How much of the profiled time communication takes that no compute hides, and whether GPUs seem
// busy or idle in it: a collective of NCCL is a kernel, one of gloo runs on the host.
#pragma once

#include "result/trace.h"

namespace debrief {

/// Means over the processes that were profiled.
struct Exposed {
  double on_host = 0;        ///< share of profiled time, 0 to 1; GPUs are idle in it
  double on_gpu_of_busy = 0; ///< share of the time in which GPUs are busy, 0 to 1
};

Exposed exposed_communication(const result::Traces& traces);

} // namespace debrief
