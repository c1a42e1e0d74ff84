// What the host did in a trace, as far as it tells why a GPU has nothing to do meanwhile.
#pragma once

#include "aggregate/trace/index.h"
#include "util/interval_set.h"

namespace debrief::aggregate {

/// Between two operators or calls the interpreter takes some 10 to 100 µs. Where a thread is in
/// neither for this long, it runs other code.
inline constexpr Nanoseconds kOtherCode = std::chrono::microseconds{500};

struct HostTimes {
  IntervalSet<Nanoseconds> blocked; ///< it waited for the GPU
  IntervalSet<Nanoseconds> loading; ///< it waited for data
  IntervalSet<Nanoseconds> setup;   ///< it compiled or loaded code (setup_calls), not for data
  IntervalSet<Nanoseconds> copying; ///< it copied to the GPU, and did neither of these
  /// No thread that launches work was in an operator, a call of the runtime, a collective or any of
  /// the above: Python, or code that it calls.
  IntervalSet<Nanoseconds> outside;
  IntervalSet<Nanoseconds> collectives; ///< that run on the host, and copy to and from it
};

HostTimes host_times(const TraceIndex& index);

} // namespace debrief::aggregate
