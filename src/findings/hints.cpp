#include "findings/hints.h"

#include "findings/host.h"
#include "findings/series.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <cmath>

namespace debrief {

namespace {

using namespace thresholds;

/// Mean of the used GPUs at a sample, in percent; nothing where none has a value.
std::optional<double> mean_use(const result::MetricTimeline& gpu, std::span<const GpuUse> uses,
                               std::size_t i) {
  double sum = 0;
  double count = 0;
  for (std::size_t device = 0; device < uses.size(); ++device) {
    if (!uses[device].used || std::isnan(gpu.values[device][i])) continue;
    sum += static_cast<double>(gpu.values[device][i]);
    ++count;
  }
  return count > 0 ? std::optional{sum / count} : std::nullopt;
}

/// Samples next to each other at which all used GPUs pause.
struct Pause {
  std::size_t begin = 0;
  std::size_t end = 0;
  Microseconds length = 0;
};

std::vector<Pause> pauses_in(const std::vector<std::optional<double>>& use,
                             const Intervals& intervals) {
  std::vector<Pause> pauses;
  for (std::size_t i = 0; i < use.size(); ++i) {
    if (!use[i] || *use[i] > kPausedGpu) continue;
    if (pauses.empty() || pauses.back().end != i) pauses.push_back({i, i, 0});
    pauses.back().end = i + 1;
    pauses.back().length += intervals.of(i).length();
  }
  return pauses;
}

/// Long pauses are stalls of single steps where work goes on for longer between them; else the loop
/// as a whole has the habit of pausing.
bool are_stalls(const std::vector<Pause>& pauses, const TimeSpan& loop) {
  Microseconds paused = 0;
  Microseconds in_long_ones = 0;
  for (const Pause& pause : pauses) {
    paused += pause.length;
    if (pause.length >= kLongPause) in_long_ones += pause.length;
  }
  return static_cast<double>(in_long_ones) >= 0.5 * static_cast<double>(paused) &&
         static_cast<double>(paused) < kMostStallShare * static_cast<double>(loop.length());
}

} // namespace

std::vector<std::optional<Cause>> hints(const result::NodeTimeline& node,
                                        const result::MetricTimeline& gpu,
                                        std::span<const GpuUse> uses, const TimeSpan& loop,
                                        std::size_t nodes) {
  const Intervals intervals{gpu.times};
  const auto used = static_cast<double>(
      std::count_if(uses.begin(), uses.end(), [](const GpuUse& use) { return use.used; }));
  Host host{node, nodes};
  std::vector<std::optional<Cause>> out(gpu.times.size());
  std::vector<std::optional<double>> use(gpu.times.size());
  for (std::size_t i = 0; i < gpu.times.size(); ++i) {
    if (!loop.contains(gpu.times[i])) continue;
    use[i] = mean_use(gpu, uses, i);
    if (!use[i] || *use[i] >= kWaitingGpu) continue;
    const HostState state = host.at(gpu.times[i]);
    if (state.exchanging)
      out[i] = Cause::communication;
    else if (state.working_cores && *state.working_cores >= used + kLoaderCores - 1)
      out[i] = Cause::input;
  }
  const std::vector<Pause> pauses = pauses_in(use, intervals);
  const bool stalls = are_stalls(pauses, loop);
  for (const Pause& pause : pauses)
    for (std::size_t i = pause.begin; i < pause.end; ++i)
      if (!out[i]) out[i] = stalls && pause.length >= kLongPause ? Cause::stall : Cause::between;
  return out;
}

} // namespace debrief
