#include "aggregate/statistics.h"
#include "custom_rules/intervals.h"
#include "custom_rules/judge.h"
#include "custom_rules/series_kinds.h"
#include "rules/details.h"
#include "util/glob.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::custom_rules {

namespace {

/// One series that a condition is about.
struct Measured {
  std::string node;
  std::string device; ///< empty: the node itself
  std::span<const Microseconds> times;
  std::span<const double> values;
};

bool is_wanted(const std::string& place, const std::string& node, const std::string& device) {
  return place.empty() || glob_matches(place, node) ||
         (!device.empty() && glob_matches(place, node + "/" + device));
}

bool is_named(const job::MetricSeries& series, std::string_view pattern) {
  return glob_matches(pattern, series.recorded_as.dimension) ||
         glob_matches(pattern, series.recorded_as.name);
}

std::vector<Measured> measured_by(const Condition& condition, const rules::RuleInput& input) {
  std::vector<Measured> out;
  const SeriesKind* kind = find_series_kind(condition.name);
  if (kind != nullptr && kind->of_node) {
    for (const aggregate::NodeSeries& node : input.series)
      if (const aggregate::NodeMetricSeries* metric = node.find(*kind->of_node);
          metric != nullptr && is_wanted(condition.place, node.node, ""))
        out.push_back({node.node, "", metric->times, metric->combined});
    return out;
  }
  const std::string_view name = std::string_view{condition.name}.substr(
      kind == nullptr ? kOtherSeries.size() : condition.name.size());
  for (const job::MetricSeries& series : input.job.metrics)
    if ((kind != nullptr ? series.metric == kind->metric : is_named(series, name)) &&
        is_wanted(condition.place, series.node, series.device))
      out.push_back(
          {series.node,
           series.device.empty() && kind == nullptr ? series.recorded_as.name : series.device,
           series.time_span(), series.value_span()});
  return out;
}

std::string label_of(const Condition& condition) {
  const SeriesKind* kind = find_series_kind(condition.name);
  return kind != nullptr ? kind->label : printable(condition.name.substr(kOtherSeries.size()));
}

std::string unit_of(const Condition& condition) {
  const SeriesKind* kind = find_series_kind(condition.name);
  return kind != nullptr ? kind->unit : "";
}

/// What the values were meanwhile: "min 3%", "p50 12.5%". Empty where the operator has no
/// direction.
std::string value_words(const Measured& measured, TimeSpan span, const Condition& condition) {
  const auto first = std::upper_bound(measured.times.begin(), measured.times.end(), span.first);
  const auto last = std::upper_bound(first, measured.times.end(), span.last);
  const auto begin = static_cast<std::size_t>(first - measured.times.begin());
  std::vector<double> values(measured.values.begin() + static_cast<std::ptrdiff_t>(begin),
                             measured.values.begin() +
                                 static_cast<std::ptrdiff_t>(last - measured.times.begin()));
  if (values.empty()) values.push_back(measured.values[begin == 0 ? 0 : begin - 1]);
  const bool low = condition.op == gate::Operator::less || condition.op == gate::Operator::at_most;
  const bool high =
      condition.op == gate::Operator::greater || condition.op == gate::Operator::at_least;
  if (!condition.statistic && !low && !high) return "";
  std::string name = low ? "min" : "max";
  double share = low ? 0 : 1;
  double value = 0;
  if (condition.statistic) {
    name = condition.statistic->name;
    share = condition.statistic->share.value_or(0);
  }
  if (condition.statistic && !condition.statistic->share) {
    for (const double one : values)
      value += one / static_cast<double>(values.size());
  } else {
    value = aggregate::quantiles(values, std::array{share}).front();
  }
  return fmt::format("{} {}", name, gate::value_text(value, unit_of(condition), 3));
}

/// "GPUs", "nodes"; of series that only the recorder knows "series".
std::string each_of(const Condition& condition, std::size_t count) {
  const SeriesKind* kind = find_series_kind(condition.name);
  if (kind == nullptr) return fmt::format("{} series", count);
  return count_of(count, kind->each);
}

} // namespace

result::RuleRow judge_series(const Condition& condition, const rules::RuleInput& input) {
  const std::vector<Measured> all = measured_by(condition, input);
  if (all.empty())
    return rules::not_evaluated(condition.place.empty()
                                    ? fmt::format("no {} was recorded", label_of(condition))
                                    : fmt::format("no {} was recorded of {}", label_of(condition),
                                                  printable(condition.place)));
  const double bound = *gate::in_unit(condition.value, unit_of(condition));
  result::RuleRow row;
  rules::IncidentList incidents;
  std::size_t with_any = 0;
  Microseconds recorded = 0;
  for (const Measured& measured : all) {
    const TrueIntervals found = true_intervals(measured.times, measured.values, condition, bound);
    for (const TimeSpan& span : found.spans)
      incidents.add(measured.node, measured.device, span, value_words(measured, span, condition));
    row.triggered += static_cast<std::int64_t>(found.spans.size());
    row.violations += found.violations;
    row.datapoints += found.looked;
    recorded = std::max(recorded, found.longest);
    if (found.spans.empty()) continue;
    ++with_any;
    row.details[printable(measured.node)][printable(measured.device)] = {
        {"intervals", found.spans.size()}, {"violations", found.violations}};
  }
  if (recorded < condition.duration)
    return rules::not_evaluated(
        fmt::format("the longest time without a gap in {} is {}, and the condition needs {}",
                    label_of(condition), to_human_duration(in_seconds(recorded)),
                    to_human_duration(in_seconds(condition.duration))));
  row.status = row.triggered > 0 ? result::RuleStatus::issue_found : result::RuleStatus::no_issue;
  std::move(incidents).move_to(row);
  if (row.triggered > 0)
    row.reason = fmt::format("true for {} in {}, on {} of {}", to_human_duration(row.clock_seconds),
                             count_of(static_cast<std::size_t>(row.triggered), "interval"),
                             count_text(static_cast<std::int64_t>(with_any)),
                             each_of(condition, all.size()));
  return row;
}

} // namespace debrief::custom_rules
