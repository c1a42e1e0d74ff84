// Whether traces show training at all, or next to nothing, or work that is done once before it.
#pragma once

#include "result/trace.h"

#include <optional>

namespace debrief::findings {

/// No step is marked, and the GPUs hardly worked.
bool shows_next_to_nothing(const result::Traces& traces);

/// Seconds of the profiled time, and of it in calls that set up (Traces::setup).
struct SetupTime {
  double setup = 0;
  double profiled = 0;
};

SetupTime setup_time(const result::Traces& traces);

/// Share of the profiled time in which the GPU had nothing to do and the host was in code outside
/// PyTorch: in no operator, call of the runtime, data loader or collective. Nothing where that is
/// less than what it spent in operators and launches, which then hold up the GPU.
std::optional<double> code_outside_pytorch(const result::Traces& traces);

/// Few steps, and most of their time is set-up.
bool shows_setup(const result::Traces& traces);

} // namespace debrief::findings
