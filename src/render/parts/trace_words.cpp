#include "render/parts/trace_words.h"

#include "render/parts/format.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::render {

std::string micros(double us) {
  return to_human_duration(us / 1e6);
}

Cell micros_cell(const std::optional<double>& us) {
  if (!us || !std::isfinite(*us)) return kUnknown;
  Cell cell(micros(*us));
  cell.raw = plain_number(*us);
  cell.unit = "µs";
  return cell;
}

Cell byte_count_cell(const std::optional<std::int64_t>& bytes) {
  return bytes ? bytes_cell(static_cast<double>(*bytes)) : Cell(kUnknown);
}

double percent_of(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

std::string share_text(double part, double whole) {
  return exact_percent_text(percent_of(part, whole));
}

std::string share_cell(double part, double whole) {
  return two_decimals(percent_of(part, whole));
}

std::string name_or_unknown(const std::string& name) {
  return name.empty() ? std::string{kUnknown} : printable(name);
}

bool has_both_sources(const result::Result& result) {
  if (result.traces.empty()) return false;
  const auto is_other = [](const std::string& source) {
    return !source.empty() && source != result::kFromTraces;
  };
  return is_other(result.framework.operator_source) || is_other(result.data_loading.source) ||
         std::any_of(result.steps.begin(), result.steps.end(),
                     [&](const result::StepRow& row) { return is_other(row.source); });
}

std::string source_words(const result::Result& result, std::string_view source) {
  if (source.empty() || !has_both_sources(result)) return "";
  return fmt::format(" ({})", source);
}

} // namespace debrief::render
