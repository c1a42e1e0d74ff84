#include "aggregate/sampling.h"

#include "aggregate/node_series.h"
#include "aggregate/statistics.h"
#include "util/median.h"
#include "util/numbered_name.h"
#include "util/sample_times.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace debrief::aggregate {

namespace {

using result::NodeSampling;

/// Intervals and gaps of the series that has most samples: one that was recorded more seldom tells
/// less.
void measure_intervals(std::span<const Microseconds> times, NodeSampling& node) {
  node.samples = static_cast<std::int64_t>(times.size());
  if (times.size() < 2) return;
  constexpr std::array kShares = {0.0, 0.5, 1.0};
  std::vector<double> intervals;
  intervals.reserve(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    intervals.push_back(static_cast<double>(times[i] - times[i - 1]));
  const auto found = quantiles(intervals, kShares);
  node.interval_min = found[0] / 1e6;
  node.interval_p50 = found[1] / 1e6;
  node.interval_max = found[2] / 1e6;

  const Microseconds longest = max_interval(usual_interval(times));
  for (std::size_t i = 1; i < times.size(); ++i) {
    const TimeSpan gap{times[i - 1], times[i]};
    if (gap.length() <= longest) continue;
    ++node.gap_count;
    node.gap_seconds += in_seconds(gap.length());
    if (node.gaps.size() < result::kMaxGaps) node.gaps.push_back(gap);
  }
}

} // namespace

Microseconds max_at_ends(Microseconds usual_interval) {
  return std::max(max_interval(usual_interval), kOrdinarySpread);
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
  const Microseconds usual_first = median(std::move(firsts));
  const Microseconds usual_last = median(std::move(lasts));
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
    const Microseconds longest =
        max_at_ends(from_seconds(node.interval_p50.value_or(0)).value_or(Microseconds{}));
    const auto unsampled = [&](Microseconds length) {
      return length > longest ? in_seconds(length) : 0;
    };
    const TimeSpan span = true_span(node);
    node.unsampled_at_start = unsampled(span.first - whole.first);
    node.unsampled_at_end = unsampled(whole.last - span.last);
  }
}

namespace {

/// Of its node's time that a device may miss: recorders of a machine do not tick together.
constexpr double kMinShare = 0.001;

/// Fewer intervals than this do not tell how often a device was to be sampled.
constexpr std::size_t kFewIntervals = 10;

using Times = std::span<const Microseconds>;

/// Seconds in which the node was sampled and the device was not; 0 where they are too few to speak
/// of. Each sample of the node stands for its usual interval.
double unsampled_seconds(Times device, Times of_node, Microseconds usual_of_node,
                         const result::NodeSampling& node) {
  Microseconds usual = usual_of_node;
  if (device.size() > kFewIntervals) usual = std::max(usual, usual_interval(device));

  std::size_t missed = 0;
  auto from = of_node.begin();
  const auto add_between = [&](Microseconds first, Microseconds last, Microseconds longest) {
    if (last - first <= longest) return;
    from = std::upper_bound(from, of_node.end(), first);
    const auto to = std::lower_bound(from, of_node.end(), last);
    const auto inside = static_cast<std::size_t>(to - from);
    if (inside >= static_cast<std::size_t>(kGapFactor)) missed += inside;
    from = to;
  };
  add_between(of_node.front() - 1, device.front(), max_at_ends(usual));
  for (std::size_t i = 1; i < device.size(); ++i)
    add_between(device[i - 1], device[i], max_interval(usual));
  add_between(device.back(), of_node.back() + 1, max_at_ends(usual));

  const double whole = in_seconds(node.span.length());
  const double seconds = std::min(static_cast<double>(missed) * in_seconds(usual_of_node), whole);
  const double least = std::max(in_seconds(max_at_ends(usual)), kMinShare * whole);
  return seconds > least ? seconds : 0;
}

/// The devices of one type on one node, by what is said of them first: how much they work.
class Devices {
public:
  Devices(std::string type, job::Metric work)
      : type_(std::move(type))
      , work_(work) {}

  void add(const job::MetricSeries& series) {
    if (series.recorded_as.type != type_ || series.device.empty()) return;
    const job::MetricSeries*& best = best_[series.device];
    if (best == nullptr || rank(series) > rank(*best)) best = &series;
    if (const auto number = number_after_prefix(type_, series.device)) numbers_.insert(*number);
  }

  void judge(Times of_node, result::NodeSampling& node) const {
    name_missing(node.missing_devices);
    const Microseconds* judged = of_node.data(); // what is sampled together shares its times
    const Microseconds usual = usual_interval(of_node);
    double seconds = 0;
    for (const auto& [device, series] : best_) {
      const Times times = series->time_span();
      if (times.data() != judged) seconds = unsampled_seconds(times, of_node, usual, node);
      judged = times.data();
      if (seconds <= 0) continue;
      ++node.less_sampled_count;
      if (node.less_sampled.size() < result::kMaxGaps)
        node.less_sampled.push_back({device, static_cast<std::int64_t>(series->size()), seconds});
    }
  }

private:
  std::pair<bool, std::size_t> rank(const job::MetricSeries& series) const {
    return {series.metric == work_, series.size()};
  }

  /// Of "gpu0", "gpu1" and "gpu3": gpu2. A half of a machine may have been given to the job, and a
  /// half of its cores be off, so nothing before the first is missing, nor every other one.
  void name_missing(std::vector<std::string>& missing) const {
    if (numbers_.empty()) return;
    const std::int64_t span = *numbers_.rbegin() - *numbers_.begin() + 1;
    const std::int64_t holes = span - std::ssize(numbers_);
    if (2 * holes > std::ssize(numbers_)) return;
    for (std::int64_t number = *numbers_.begin(); number < *numbers_.rbegin(); ++number)
      if (!numbers_.contains(number)) missing.push_back(fmt::format("{}{}", type_, number));
  }

  std::string type_;
  job::Metric work_;
  std::map<std::string, const job::MetricSeries*, decltype(&natural_less)> best_{&natural_less};
  std::set<std::int64_t> numbers_;
};

} // namespace

void find_less_sampled(const job::Job& job, std::vector<result::NodeSampling>& nodes) {
  auto series = job.metrics.begin();
  for (result::NodeSampling& node : nodes) {
    Devices cores{"cpu", job::Metric::cpu_utilization};
    Devices gpus{"gpu", job::Metric::gpu_utilization};
    const job::MetricSeries* longest = &*series;
    for (; series != job.metrics.end() && series->node == node.node; ++series) {
      cores.add(*series);
      gpus.add(*series);
      if (series->size() > longest->size()) longest = &*series;
    }
    gpus.judge(longest->time_span(), node);
    cores.judge(longest->time_span(), node);
  }
}

} // namespace debrief::aggregate
