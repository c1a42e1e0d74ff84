#include "export/safe_text.h"

#include "export/batch_builder.h"
#include "util/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace debrief::exports {

namespace {

/// What formulas begin with, in ASCII and as wide characters, which some spreadsheets take alike.
constexpr std::array<std::string_view, 11> kFormulaMarks = {
    "=", "+", "-", "@", "\t", "\r", "\n", "\uFF1D", "\uFF0B", "\uFF0D", "\uFF20"};

bool is_plain(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

bool is_safe_in_csv(std::string_view text) {
  return !looks_like_formula(text) && (is_plain(text) || printable(text) == text);
}

bool all_safe_in_csv(const arrow::StringArray& texts) {
  for (std::int64_t row = 0; row < texts.length(); ++row)
    if (!is_safe_in_csv(texts.GetView(row))) return false;
  return true;
}

std::shared_ptr<arrow::Array> made_safe(const arrow::StringArray& texts, bool for_csv) {
  arrow::StringBuilder builder;
  check(builder.Reserve(texts.length()));
  std::string text;
  for (std::int64_t row = 0; row < texts.length(); ++row) {
    if (texts.IsNull(row)) {
      check(builder.AppendNull());
      continue;
    }
    const std::string_view view = texts.GetView(row);
    text.clear();
    if (for_csv && looks_like_formula(view)) text += '\'';
    text += printable(view);
    check(builder.Append(text));
  }
  return check(builder.Finish());
}

} // namespace

bool looks_like_formula(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  return std::any_of(kFormulaMarks.begin(), kFormulaMarks.end(),
                     [&](std::string_view mark) { return text.starts_with(mark); });
}

std::shared_ptr<arrow::RecordBatch> with_safe_texts(std::shared_ptr<arrow::RecordBatch> batch,
                                                    bool for_csv) {
  for (int column = 0; column < batch->num_columns(); ++column) {
    if (batch->column(column)->type_id() != arrow::Type::STRING) continue;
    const auto& texts = static_cast<const arrow::StringArray&>(*batch->column(column));
    if (for_csv ? all_safe_in_csv(texts) : texts.ValidateUTF8().ok()) continue;
    batch =
        check(batch->SetColumn(column, batch->schema()->field(column), made_safe(texts, for_csv)));
  }
  return batch;
}

} // namespace debrief::exports
