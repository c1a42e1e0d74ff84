// GPUMemoryIncrease: does the use of GPU memory jump?
//
// Sample by sample: the mean of the last `window` samples against that of the window - 1 samples
// which end two samples earlier (so SageMaker has it); a difference above `increase` counts.
#include "aggregate/box.h"
#include "rules/declarations.h"
#include "rules/device_details.h"

#include <numeric>

namespace debrief {

namespace {

double mean(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// By how much the moving average grew with the last of `seen`, which has more than `window`.
double growth(std::span<const double> seen, std::size_t window) {
  const std::size_t older = std::max<std::size_t>(window - 1, 1);
  const std::size_t end = seen.size() - std::min<std::size_t>(window, 2);
  return mean(seen.last(window)) - mean(seen.subspan(end - older, older));
}

struct Limits {
  double increase = 0;
  std::size_t window = 0;
  std::size_t patience = 0;
};

void examine(const MetricSeries& memory, const Limits& limits, DeviceFindings& findings) {
  const auto times = memory.time_span();
  const auto values = memory.value_span();
  std::int64_t count = 0;
  std::size_t first = 0;
  std::size_t last = 0;
  double last_growth = 0;
  std::optional<double> largest;
  for (std::size_t i = limits.window; i < values.size(); ++i) {
    const double grown = growth(values.first(i + 1), limits.window);
    largest = std::max(largest.value_or(grown), grown);
    if (grown <= limits.increase || i + 1 <= limits.patience) continue;
    if (count++ == 0) first = i;
    last = i;
    last_growth = grown;
    findings.incidents.add(memory.node, memory.device, {times[i - limits.window], times[i]});
  }
  findings.outcome.triggered += count;
  result::DeviceFigures figures{memory.node, memory.device, {{"increases", count}}};
  if (largest) figures.figures["largest_increase"] = *largest;
  findings.outcome.devices.push_back(std::move(figures));
  if (count == 0) return;
  const Box box = box_of(values.first(last + 1));
  const ScanWindows& windows = findings.windows;
  findings.details.add(memory.node, memory.device, windows.index(times[first]),
                       windows.start(windows.index(times[last])),
                       {{"increase", last_growth},
                        {"gpu_max", box.max},
                        {"p05", box.p05},
                        {"p25", box.p25},
                        {"p50", box.p50},
                        {"p75", box.p75},
                        {"p95", box.p95},
                        {"upper", box.upper()},
                        {"lower", box.lower()}});
}

RuleOutcome evaluate(const RuleInput& input, const ParameterValues& parameters) {
  const Limits limits{parameters.number("increase"), parameters.count("window"),
                      parameters.count("patience")};
  return look_at_devices(input, parameters, {&NodeDevices::gpu_memory, "GPU memory"}, limits.window,
                         [&](const MetricSeries& memory, DeviceFindings& findings) {
                           examine(memory, limits, findings);
                         });
}

} // namespace

Rule gpu_memory_increase_rule() {
  return {
      {"GPUMemoryIncrease",
       RuleInputKind::system_metrics,
       "Looks for jumps in the use of GPU memory: each sample at which the moving average "
       "grows by more than a few points counts.",
       "Look for tensors that are kept across steps, for a growing batch or sequence length, "
       "and for caches; leave headroom before the next allocation fails.",
       {percent_parameter("increase", "5", "Growth of the moving average that counts, in points"),
        patience_parameter(), window_parameter("10", "Samples that the moving average covers")}},
      evaluate};
}

} // namespace debrief
