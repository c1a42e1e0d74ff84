#include "render/parts/cells.h"

#include "render/parts/format.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::render {

namespace {

/// The number is left out where the text is that number already.
Cell figure(std::string shown, double value, std::string_view unit) {
  std::string plain = plain_number(value);
  Cell cell(std::move(shown));
  cell.unit = unit;
  if (plain != cell.text) cell.raw = std::move(plain);
  return cell;
}

} // namespace

std::string plain_number(double value) {
  std::string text = fmt::format("{:.6f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

Cell duration_cell(const std::optional<double>& seconds) {
  if (!seconds || !std::isfinite(*seconds)) return kUnknown;
  return figure(to_human_duration(*seconds), *seconds, "s");
}

Cell bytes_cell(double bytes) {
  return figure(to_human_bytes(bytes), bytes, "B");
}

Cell count_cell(const std::optional<std::int64_t>& number) {
  if (!number) return kUnknown;
  return figure(grouped(*number), static_cast<double>(*number), "");
}

Cell scalar_cell(const std::optional<double>& value) {
  if (!value || !std::isfinite(*value)) return kUnknown;
  constexpr double kDigits = 7;
  const double power = *value == 0 ? 0 : std::floor(std::log10(std::abs(*value)));
  const int decimals = static_cast<int>(std::max(0.0, kDigits - 1 - power));
  Cell cell(scalar_text(*value));
  std::string plain = fmt::format("{:.{}f}", *value, decimals);
  if (decimals > 0) plain.erase(plain.find_last_not_of('0') + 1);
  if (plain.back() == '.') plain.pop_back();
  if (plain != cell.text) cell.raw = std::move(plain);
  return cell;
}

Cell usage_cell(double value, std::string_view unit) {
  std::string shown = in_unit(value, unit);
  return unit == "%" ? Cell(std::move(shown)) : figure(std::move(shown), value, "");
}

Cell share_bar(double percent, double from) {
  return {exact_percent_text(percent), {{from, percent}}};
}

Cell spread_bar(double p50, double p95) {
  return {fmt::format("median {}, p95 {}", exact_percent_text(p50), exact_percent_text(p95)),
          {{0, p95, true}, {0, p50}}};
}

} // namespace debrief::render
