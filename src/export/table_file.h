// Writes a table as Parquet, Arrow IPC or CSV, by the file's ending. The file appears whole or not
// at all.
#pragma once

#include "export/table_format.h"
#include "export/tables.h"

#include <arrow/type_fwd.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace debrief::exports {

/// `produce` is called once with the sink that takes the batches. Returns the number of rows
/// written.
std::uint64_t write_table(const std::string& target, TableFormat format,
                          const std::shared_ptr<arrow::Schema>& schema,
                          const std::function<void(const BatchSink&)>& produce);

} // namespace debrief::exports
