// What is worth knowing about a slice of a trace, as members of a JSON object, under the recorder's
// own keys.
#pragma once

#include "aggregate/trace/index.h"
#include "export/chrome_trace.h"

#include <cstddef>
#include <string>

namespace debrief::exports {

/// Appends them to `args`; `names` are those of the trace.
void append_slice_args(const aggregate::TraceIndex& index, std::size_t slice, QuotedNames& names,
                       std::string& args);

} // namespace debrief::exports
