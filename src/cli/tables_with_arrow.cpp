// Of debrief-tables.
#include "cli/tables.h"

namespace debrief::cli {

void need_tables() {}

std::string tables_program() {
  return "/proc/self/exe";
}

std::uint64_t write_table(std::string_view table, const std::string& target,
                          exports::TableFormat format, const job::Job& job) {
  return exports::write_job_table(table, target, format, job);
}

} // namespace debrief::cli
