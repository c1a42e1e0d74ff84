// A result in which nothing is absent. Its document is full_result.json; the golden tests hold that
// against the schema and the invariants, so the figures agree with each other.
#pragma once

#include "result/result.h"

namespace debrief::test {

result::Result full_result();

/// Of one process of two, with two steps; its curve of memory is in it too.
result::Traces full_traces();

} // namespace debrief::test
