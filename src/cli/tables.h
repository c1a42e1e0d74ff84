// Tables are written with Arrow, whose libraries take more memory and time to load than a small
// report. So `debrief` has no Arrow in it: debrief-tables is the same program with it, and
// `debrief` goes on as that one where a table is asked for.
#pragma once

#include "export/job_table.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace debrief::cli {

/// Returns in debrief-tables. `debrief` runs that with the same command line, in the same process,
/// and never returns; throws where it is not there.
void need_tables();

/// The path of debrief-tables; throws where it is not there.
std::string tables_program();

/// `table` is "metrics", "events", "slices" or "scalars". Returns the number of rows. For
/// debrief-tables only.
std::uint64_t write_table(std::string_view table, const std::string& target,
                          exports::TableFormat format, const job::Job& job);

} // namespace debrief::cli
