// Texts of a job in a table that other programs open: valid UTF-8 in every format, and in CSV
// nothing that a spreadsheet would run, or that a terminal or a reader's eye would be misled by.
#pragma once

#include <arrow/api.h>

#include <memory>
#include <string_view>

namespace debrief::exports {

/// Whether a spreadsheet takes the text for a formula.
bool looks_like_formula(std::string_view text);

/// The batch with its texts made safe; the same one where they are already. Invalid UTF-8 is shown
/// byte by byte (util/text.h); `for_csv`, so are control characters and marks that turn or hide
/// text, and a formula has a ' before it.
std::shared_ptr<arrow::RecordBatch> with_safe_texts(std::shared_ptr<arrow::RecordBatch> batch,
                                                    bool for_csv);

} // namespace debrief::exports
