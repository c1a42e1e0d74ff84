#include "export/table_format.h"

namespace debrief::exports {

std::optional<TableFormat> table_format_of(std::string_view file_name) {
  if (file_name.ends_with(".parquet")) return TableFormat::parquet;
  if (file_name.ends_with(".arrow") || file_name.ends_with(".feather"))
    return TableFormat::arrow_ipc;
  if (file_name.ends_with(".csv")) return TableFormat::csv;
  return std::nullopt;
}

} // namespace debrief::exports
