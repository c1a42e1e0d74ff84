#include "aggregate/sampling.h"

#include "aggregate/quantiles.h"
#include "aggregate/system_usage.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>

namespace debrief::aggregate {

namespace {

using result::NodeSampling;

/// Intervals and gaps of the series that has most samples: one that was recorded more seldom tells
/// less.
void measure_intervals(std::span<const Microseconds> times, NodeSampling& node) {
  node.samples = static_cast<std::int64_t>(times.size());
  if (times.size() < 2) return;
  constexpr std::array kShares = {0.0, 0.5, 1.0};
  std::vector<double> intervals = intervals_between(times);
  const auto found = quantiles(intervals, kShares);
  node.interval_min = found[0] / 1e6;
  node.interval_p50 = found[1] / 1e6;
  node.interval_max = found[2] / 1e6;

  const double longest = longest_interval(found[1]);
  for (std::size_t i = 1; i < times.size(); ++i) {
    const TimeSpan gap{times[i - 1], times[i]};
    if (static_cast<double>(gap.length()) <= longest) continue;
    ++node.gap_count;
    node.gap_seconds += in_seconds(gap.length());
    if (node.gaps.size() < result::kMaxGaps) node.gaps.push_back(gap);
  }
}

Microseconds median(std::vector<Microseconds> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

} // namespace

std::vector<double> intervals_between(std::span<const Microseconds> times) {
  std::vector<double> intervals;
  if (times.empty()) return intervals;
  intervals.reserve(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    intervals.push_back(static_cast<double>(times[i] - times[i - 1]));
  return intervals;
}

double longest_interval(double usual) {
  return std::max(kGapFactor * usual, static_cast<double>(kMinGap));
}

double longest_at_ends(double usual) {
  return std::max(longest_interval(usual), static_cast<double>(kOrdinarySpread));
}

std::vector<NodeSampling> node_sampling(const job::Job& job) {
  std::vector<NodeSampling> nodes;
  for (auto series = job.metrics.begin(); series != job.metrics.end();) {
    const auto first = series;
    NodeSampling node;
    node.node = first->node;
    node.span = {series->time_span().front(), series->time_span().back()};
    const job::MetricSeries* longest = &*series;
    for (; series != job.metrics.end() && series->node == node.node; ++series) {
      node.span.include(series->time_span().front());
      node.span.include(series->time_span().back());
      if (series->size() > longest->size()) longest = &*series;
    }
    measure_intervals(longest->time_span(), node);
    node.not_recorded = missing_usage({first, series});
    nodes.push_back(std::move(node));
  }
  return nodes;
}

std::vector<result::ClockSkew> clock_skew(const std::vector<NodeSampling>& nodes) {
  if (nodes.size() < 2) return {};
  std::vector<Microseconds> firsts;
  std::vector<Microseconds> lasts;
  for (const NodeSampling& node : nodes) {
    firsts.push_back(node.span.first);
    lasts.push_back(node.span.last);
  }
  const Microseconds usual_first = median(firsts);
  const Microseconds usual_last = median(lasts);
  std::vector<result::ClockSkew> skews;
  for (const NodeSampling& node : nodes) {
    const Microseconds at_first = node.span.first - usual_first;
    const Microseconds at_last = node.span.last - usual_last;
    const bool away = std::abs(at_first) >= kMinSkew && std::abs(at_last) >= kMinSkew;
    // A node that started late and ended late by different amounts was late; its clock is right.
    const Microseconds tolerance = std::max(kMinSkew / 2, std::abs(at_first) / 20);
    if (away && std::abs(at_first - at_last) <= tolerance)
      skews.push_back({node.node, in_seconds((at_first + at_last) / 2)});
  }
  return skews;
}

void find_unsampled_ends(const std::optional<TimeSpan>& job,
                         const std::vector<result::ClockSkew>& skews,
                         std::vector<NodeSampling>& nodes) {
  // By the clock of those that agree.
  const auto true_span = [&](const NodeSampling& node) {
    TimeSpan span = node.span;
    for (const result::ClockSkew& skew : skews)
      if (skew.node == node.node) {
        span.first -= std::llround(1e6 * skew.seconds);
        span.last -= std::llround(1e6 * skew.seconds);
      }
    return span;
  };
  if (nodes.empty()) return;
  TimeSpan whole = true_span(nodes.front());
  for (const NodeSampling& node : nodes) {
    const TimeSpan span = true_span(node);
    whole.include(span.first);
    whole.include(span.last);
  }
  if (job && skews.empty()) whole = *job; // else a clock has widened it
  for (NodeSampling& node : nodes) {
    const double longest = longest_at_ends(1e6 * node.interval_p50.value_or(0));
    const auto unsampled = [&](Microseconds length) {
      return static_cast<double>(length) > longest ? in_seconds(length) : 0;
    };
    const TimeSpan span = true_span(node);
    node.unsampled_at_start = unsampled(span.first - whole.first);
    node.unsampled_at_end = unsampled(whole.last - span.last);
  }
}

} // namespace debrief::aggregate
