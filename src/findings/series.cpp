#include "findings/series.h"

#include "findings/thresholds.h"
#include "util/sample_times.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace debrief::findings {

void add_within(const aggregate::NodeMetricSeries& metric, std::span<const TimeSpan> windows,
                double scale, SampleSum& into) {
  std::size_t next = 0;
  for (std::size_t i = 0; i < metric.times.size(); ++i) {
    while (next < windows.size() && windows[next].last < metric.times[i])
      ++next;
    if (next == windows.size()) return;
    if (metric.times[i] <= windows[next].first) continue;
    into.sum += metric.combined[i] * scale;
    ++into.samples;
  }
}

std::size_t NearestSample::to(Microseconds time, Microseconds reach) {
  if (metric_ == nullptr || metric_->times.empty()) return kNone;
  const auto& times = metric_->times;
  while (at_ + 1 < times.size() && std::abs(times[at_ + 1] - time) <= std::abs(times[at_] - time))
    ++at_;
  return std::abs(times[at_] - time) <= reach ? at_ : kNone;
}

namespace {

using namespace thresholds;

bool is_used(const std::vector<float>& values) {
  std::size_t samples = 0;
  std::size_t used = 0;
  for (const float value : values) {
    if (std::isnan(value)) continue;
    ++samples;
    if (value >= static_cast<float>(kUsedPercent)) ++used;
  }
  return used > 0 && static_cast<double>(used) >= kUsedSamples * static_cast<double>(samples);
}

double lost_share(const std::vector<Microseconds>& times, const std::vector<float>& values,
                  const SampleIntervals& intervals, const TimeSpan& loop) {
  double lost = 0;
  double all = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(values[i]) || !loop.contains(times[i])) continue;
    const double seconds = in_seconds(intervals.before(i).length());
    all += seconds;
    lost += seconds * (1 - std::clamp(static_cast<double>(values[i]) / 100, 0.0, 1.0));
  }
  return all > 0 ? lost / all : 0;
}

} // namespace

std::vector<GpuUse> gpu_use(const aggregate::NodeMetricSeries& gpu, const TimeSpan& loop) {
  const SampleIntervals intervals{gpu.times};
  std::vector<GpuUse> uses;
  for (const std::vector<float>& values : gpu.values)
    uses.push_back({is_used(values), lost_share(gpu.times, values, intervals, loop)});
  return uses;
}

bool is_hardly_filled(const result::SmActivityRow& gpu) {
  return gpu.utilization >= thresholds::kBusyUtilization &&
         gpu.sm_active < thresholds::kHardlyFilled * gpu.utilization;
}

} // namespace debrief::findings
