// GPUMemoryIncrease: does the use of GPU memory jump?
//
// Sample by sample: the mean of the last `window` samples against that of the window - 1 samples
// which end two samples earlier (so SageMaker has it); a difference above `increase` counts.
#include "aggregate/statistics.h"
#include "rules/details.h"
#include "rules/rule.h"

#include <algorithm>

namespace debrief::rules {

namespace {

/// Means of any stretch in constant time. Sums are kept in more digits than the values have, so
/// that their differences are as good as a sum of the stretch itself.
class Means {
public:
  explicit Means(std::span<const double> values)
      : sums_(values.size() + 1) {
    for (std::size_t i = 0; i < values.size(); ++i)
      sums_[i + 1] = sums_[i] + static_cast<long double>(values[i]);
  }

  double of(std::size_t begin, std::size_t end) const {
    return static_cast<double>((sums_[end] - sums_[begin]) / static_cast<long double>(end - begin));
  }

private:
  std::vector<long double> sums_;
};

/// By how much the moving average grew with the last of the first `seen` samples, which are more
/// than `window`.
double growth(const Means& means, std::size_t seen, std::size_t window) {
  const std::size_t older = std::max<std::size_t>(window - 1, 1);
  const std::size_t end = seen - std::min<std::size_t>(window, 2);
  return means.of(seen - window, seen) - means.of(end - older, end);
}

struct MemoryLimits {
  double increase = 0;
  std::size_t window = 0;
  std::size_t patience = 0;
};

void examine(const job::MetricSeries& memory, const MemoryLimits& limits,
             DeviceFindings& findings) {
  const auto times = memory.time_span();
  const auto values = memory.value_span();
  std::int64_t count = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  double last_growth = 0;
  std::optional<double> largest;
  const Means means{values};
  for (std::size_t i = limits.window; i < values.size(); ++i) {
    const double grown = growth(means, i + 1, limits.window);
    largest = std::max(largest.value_or(grown), grown);
    if (grown <= limits.increase || i + 1 <= limits.patience) continue;
    if (count++ == 0) first = i;
    last = i;
    last_growth = grown;
    findings.incidents.add(memory.node, memory.device, {times[i - limits.window], times[i]});
  }
  findings.triggered += count;
  result::DeviceFigures figures{memory.node, memory.device, {{"increases", count}}};
  if (largest) figures.figures["largest_increase"] = *largest;
  findings.devices.push_back(std::move(figures));
  if (count == 0) return;
  const aggregate::Box box = aggregate::box_of(values.first(last + 1));
  const ScanWindows& windows = findings.windows;
  findings.details.add(
      memory.node, memory.device, windows.index(times[first]),
      windows.start(windows.index(times[last])),
      with_box({{"increase", last_growth}, {"gpu_max", box.max}, {"p05", box.p05}}, box));
}

RuleOutcome evaluate_gpu_memory_increase(const RuleInput& input,
                                         const ParameterValues& parameters) {
  const MemoryLimits limits{parameters.number("increase"), parameters.count("window"),
                            parameters.count("patience")};
  return look_at_devices(input, parameters, {&aggregate::NodeDevices::gpu_memory, "GPU memory"},
                         limits.window,
                         [&](const job::MetricSeries& memory, DeviceFindings& findings) {
                           examine(memory, limits, findings);
                         });
}

} // namespace

Rule gpu_memory_increase_rule() {
  return {
      {"GPUMemoryIncrease",
       RuleGroup::profiler,
       RuleInputKind::system_metrics,
       "Finds jumps in GPU memory use: every sample at which the moving average grows by more than "
       "a few points.",
       "Look for tensors kept across steps, growing batches or sequences, and caches. Leave "
       "headroom before the next allocation fails.",
       {percent_parameter("increase", "5", "Minimum growth of the moving average, in points"),
        patience_parameter(), window_parameter("10", "Window of the moving average in samples")}},
      evaluate_gpu_memory_increase};
}

} // namespace debrief::rules
