// The rows of a table as HTML. They are most of a page's text, and the template engine copies each
// value several times on its way through loops and parts: rows are written here instead, and put
// into the page afterwards (render/page/placeholders.h).
#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::render {

/// A line for each row, every text escaped; `rows` as Table::view has them.
std::string table_rows(const nlohmann::json& rows);

} // namespace debrief::render
