#include "aggregate/device_sampling.h"

#include "aggregate/quantiles.h"
#include "aggregate/sampling.h"
#include "util/numbered_name.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace debrief::aggregate {

namespace {

/// Of its node's time that a device may miss: recorders of a machine do not tick together.
constexpr double kMinShare = 0.001;

/// Fewer intervals than this do not tell how often a device was to be sampled.
constexpr std::size_t kFewIntervals = 10;

using Times = std::span<const Microseconds>;

/// Seconds in which the node was sampled and the device was not; 0 where they are too few to speak
/// of. Each sample of the node stands for its usual interval.
double unsampled_seconds(Times device, Times of_node, const result::NodeSampling& node) {
  const double usual_of_node = 1e6 * node.interval_p50.value_or(0);
  double usual = usual_of_node;
  std::vector<double> intervals = intervals_between(device);
  constexpr std::array kMedian = {0.5};
  if (intervals.size() >= kFewIntervals) usual = std::max(usual, quantiles(intervals, kMedian)[0]);

  std::size_t missed = 0;
  auto from = of_node.begin();
  const auto add_between = [&](Microseconds first, Microseconds last, double longest) {
    if (static_cast<double>(last - first) <= longest) return;
    from = std::upper_bound(from, of_node.end(), first);
    const auto to = std::lower_bound(from, of_node.end(), last);
    const auto inside = static_cast<std::size_t>(to - from);
    if (static_cast<double>(inside) >= kGapFactor) missed += inside;
    from = to;
  };
  add_between(of_node.front() - 1, device.front(), longest_at_ends(usual));
  for (std::size_t i = 1; i < device.size(); ++i)
    add_between(device[i - 1], device[i], longest_interval(usual));
  add_between(device.back(), of_node.back() + 1, longest_at_ends(usual));

  const double whole = in_seconds(node.span.length());
  const double seconds = std::min(static_cast<double>(missed) * usual_of_node / 1e6, whole);
  const double least = std::max(longest_at_ends(usual) / 1e6, kMinShare * whole);
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
    double seconds = 0;
    for (const auto& [device, series] : best_) {
      const Times times = series->time_span();
      if (times.data() != judged) seconds = unsampled_seconds(times, of_node, node);
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
