// Of debrief-tables.
#include "cli/tables.h"
#include "export/table_file.h"
#include "export/tables.h"

#include <array>
#include <memory>
#include <stdexcept>

namespace debrief::cli {

namespace {

struct ArrowTable {
  std::string_view name;
  std::shared_ptr<arrow::Schema> (*schema)();
  void (*produce)(const job::Job& job, const exports::BatchSink& sink);
};

constexpr std::array<ArrowTable, 4> kArrowTables = {{
    {"metrics", exports::metrics_schema, exports::for_each_metrics_batch},
    {"events", exports::events_schema, exports::for_each_events_batch},
    {"slices", exports::slices_schema, exports::for_each_slices_batch},
    {"scalars", exports::scalars_schema, exports::for_each_scalars_batch},
}};

} // namespace

void need_tables() {}

std::uint64_t write_table(std::string_view table, const std::string& target,
                          exports::TableFormat format, const job::Job& job) {
  for (const ArrowTable& known : kArrowTables)
    if (known.name == table)
      return exports::write_table(
          target, format, known.schema(),
          [&](const exports::BatchSink& sink) { known.produce(job, sink); });
  throw std::logic_error("there is no such table");
}

} // namespace debrief::cli
