// One job's sampled stacks out of those of its processes.
#pragma once

#include "job/python_stacks.h"
#include "job/reading_report.h"

#include <optional>
#include <vector>

namespace debrief::ingest {

/// Those of other jobs, outside of `span`, are left out. Equal frames and stacks become one.
job::PythonStacks join_stacks(std::vector<job::PythonStacks> files,
                              const std::optional<TimeSpan>& span, job::ReadingReport& report);

} // namespace debrief::ingest
