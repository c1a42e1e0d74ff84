#include "findings/gpu_use.h"

#include "findings/series.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <cmath>

namespace debrief::findings {

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
                  const Intervals& intervals, const TimeSpan& loop) {
  double lost = 0;
  double all = 0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(values[i]) || !loop.contains(times[i])) continue;
    const double seconds = in_seconds(intervals.of(i).length());
    all += seconds;
    lost += seconds * (1 - std::clamp(static_cast<double>(values[i]) / 100, 0.0, 1.0));
  }
  return all > 0 ? lost / all : 0;
}

} // namespace

std::vector<GpuUse> gpu_use(const result::MetricTimeline& gpu, const TimeSpan& loop) {
  const Intervals intervals{gpu.times};
  std::vector<GpuUse> uses;
  for (const std::vector<float>& values : gpu.values)
    uses.push_back({is_used(values), lost_share(gpu.times, values, intervals, loop)});
  return uses;
}

} // namespace debrief::findings
