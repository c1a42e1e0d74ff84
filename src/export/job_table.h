// A table of a job as a file: for debrief-tables, which has Arrow.
#pragma once

#include "export/table_format.h"
#include "job/job.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace debrief::exports {

/// `table` is "metrics", "events", "slices" or "scalars". Returns the number of rows.
std::uint64_t write_job_table(std::string_view table, const std::string& target, TableFormat format,
                              const job::Job& job);

} // namespace debrief::exports
