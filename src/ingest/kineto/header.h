// What a PyTorch trace says about itself outside of its events: devices, rank, the origin of its
// times.
#pragma once

#include "job/trace.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace debrief::ingest::kineto {

/// That one process uses: more than any machine has.
inline constexpr std::size_t kMaxGpus = 128;

/// `text` is the file without its events, `{… "traceEvents": [] …}`. Fills what it knows of; `base`
/// is the origin of the trace's times ("baseTimeNanoseconds"), 0 where it does not say. Never
/// throws; returns what is wrong with it ("is not valid JSON"), or nothing.
std::string_view read_header(const std::string& text, job::Trace& trace, Nanoseconds& base);

/// What the name of a file says of its worker: "algo-1_605.1794700287797757440.pt.trace.json.gz" ->
/// node "algo-1", pid 605; "rank0.….json", "rank-34.Jul_15….json" -> rank.
void read_worker_name(std::string_view file_name, job::Trace& trace);

} // namespace debrief::ingest::kineto
