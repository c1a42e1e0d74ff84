// Which traces were read and what they record, for the section on data quality.
#pragma once

#include "render/parts/section.h"
#include "result/trace.h"

namespace debrief::render {

void show_trace_files(Section& section, const std::vector<result::TraceFile>& files);

} // namespace debrief::render
