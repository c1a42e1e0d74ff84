#include "record/metric_lines.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

namespace debrief::record {

MetricLines::MetricLines(std::string node)
    : node_(std::move(node)) {}

MetricLines::Id MetricLines::add_series(std::string_view type, std::string_view name,
                                        std::string_view dimension, int decimals) {
  series_.push_back(
      {fmt::format(R"({{"Type":"{}","Name":"{}","Dimension":"{}","Value":)", type, name, dimension),
       decimals});
  return series_.size() - 1;
}

void MetricLines::begin(Microseconds time) {
  bytes_.clear();
  suffix_.clear();
  fmt::format_to(std::back_inserter(suffix_), R"(,"NodeId":"{}","Timestamp":{}.{:06}}})", node_,
                 time / kSecond, time % kSecond);
  suffix_ += '\n';
}

void MetricLines::add(Id series, double value) {
  if (!std::isfinite(value)) return;
  // A double has up to 309 digits before the point.
  std::array<char, 400> digits;
  const Series& it = series_[series];
  const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), value,
                                          std::chars_format::fixed, it.decimals);
  if (error != std::errc{}) return;
  bytes_ += it.prefix;
  bytes_.append(digits.data(), end);
  bytes_ += suffix_;
}

void MetricLines::add(Id series, std::optional<double> value) {
  if (value) add(series, *value);
}

} // namespace debrief::record
