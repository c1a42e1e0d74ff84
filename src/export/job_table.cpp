#include "export/job_table.h"

#include "export/table_file.h"
#include "export/tables.h"

#include <array>
#include <memory>
#include <stdexcept>

namespace debrief::exports {

namespace {

struct ArrowTable {
  std::string_view name;
  std::shared_ptr<arrow::Schema> (*schema)();
  void (*produce)(const job::Job& job, const BatchSink& sink);
};

constexpr std::array<ArrowTable, 4> kArrowTables = {{
    {"metrics", metrics_schema, for_each_metrics_batch},
    {"events", events_schema, for_each_events_batch},
    {"slices", slices_schema, for_each_slices_batch},
    {"scalars", scalars_schema, for_each_scalars_batch},
}};

} // namespace

std::uint64_t write_job_table(std::string_view table, const std::string& target, TableFormat format,
                              const job::Job& job) {
  for (const ArrowTable& known : kArrowTables)
    if (known.name == table)
      return write_table(target, format, known.schema(),
                         [&](const BatchSink& sink) { known.produce(job, sink); });
  throw std::logic_error("there is no such table");
}

} // namespace debrief::exports
