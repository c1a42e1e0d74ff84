// Which kind of table a file's name asks for.
#pragma once

#include <optional>
#include <string_view>

namespace debrief::exports {

enum class TableFormat { parquet, arrow_ipc, csv };

/// ".parquet", ".arrow" or ".feather", ".csv"; nothing for anything else.
std::optional<TableFormat> table_format_of(std::string_view file_name);

} // namespace debrief::exports
