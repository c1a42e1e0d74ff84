// Whether traces show training at all, or next to nothing, or work that is done once before it.
#pragma once

#include "result/trace.h"

namespace debrief::findings {

/// No step is marked, and the GPUs hardly worked.
bool shows_next_to_nothing(const result::Traces& traces);

/// Seconds of the profiled time, and of it in calls that set up (Traces::setup).
struct SetupTime {
  double setup = 0;
  double profiled = 0;
};

SetupTime setup_time(const result::Traces& traces);

/// Of what GPUs idled for no other cause, most passed before the host had launched their next work,
/// and the host was in operators and calls meanwhile: they run back to back and are too short.
bool is_launch_bound(const result::Traces& traces);

/// Few steps, and most of their time is set-up.
bool shows_setup(const result::Traces& traces);

} // namespace debrief::findings
