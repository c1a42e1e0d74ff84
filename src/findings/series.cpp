#include "findings/series.h"

#include <algorithm>
#include <cstdlib>

namespace debrief::findings {

const result::MetricTimeline* find_metric(const result::NodeTimeline& node,
                                          std::string_view metric) {
  for (const result::MetricTimeline& row : node.metrics)
    if (row.metric == metric) return &row;
  return nullptr;
}

const std::vector<float>* find_device(const result::MetricTimeline& metric,
                                      std::string_view device) {
  for (std::size_t i = 0; i < metric.devices.size(); ++i)
    if (metric.devices[i] == device) return &metric.values[i];
  return nullptr;
}

void add_within(const result::MetricTimeline& metric, std::span<const TimeSpan> windows,
                double scale, SampleSum& into) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < metric.times.size(); ++i) {
    while (next < windows.size() && windows[next].last < metric.times[i])
      ++next;
    if (next == windows.size()) return;
    if (metric.times[i] <= windows[next].first) continue;
    into.sum += static_cast<double>(metric.whole[i]) * scale;
    ++into.samples;
  }
}

Intervals::Intervals(const std::vector<Microseconds>& times)
    : times_(times) {
  if (times.size() < 2) return;
  std::vector<Microseconds> distances;
  distances.reserve(times.size() - 1);
  for (std::size_t i = 1; i < times.size(); ++i)
    distances.push_back(times[i] - times[i - 1]);
  const auto middle = distances.begin() + static_cast<std::ptrdiff_t>(distances.size() / 2);
  std::nth_element(distances.begin(), middle, distances.end());
  usual_ = *middle;
}

TimeSpan Intervals::of(std::size_t i) const {
  if (i == 0) return {times_[0], times_[0]};
  // Recorders that are a little late are usual; what is later than this was not measured.
  constexpr Microseconds kLate = 3;
  const Microseconds since = times_[i] - times_[i - 1];
  return {times_[i] - (since > kLate * usual_ ? usual_ : since), times_[i]};
}

std::size_t Nearest::to(Microseconds time, Microseconds reach) {
  if (metric_ == nullptr || metric_->times.empty()) return npos;
  const auto& times = metric_->times;
  while (at_ + 1 < times.size() && std::abs(times[at_ + 1] - time) <= std::abs(times[at_] - time))
    ++at_;
  return std::abs(times[at_] - time) <= reach ? at_ : npos;
}

} // namespace debrief::findings
