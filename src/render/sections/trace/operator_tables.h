// What traces say of operators, for the section on CPU operators.
#pragma once

#include "render/parts/section.h"
#include "result/trace.h"

#include <string_view>

namespace debrief::render {

/// `source`: what captions end with, where a reader has to be told.
void add_trace_operators(Section& section, const result::Traces& traces, std::string_view source);

} // namespace debrief::render
