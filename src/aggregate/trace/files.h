// What each trace file is: whose, when, of which GPUs, and what it does not record.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

namespace debrief::aggregate {

result::TraceFile trace_file(const TraceIndex& index);

} // namespace debrief::aggregate
