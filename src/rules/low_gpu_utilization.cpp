// LowGPUUtilization: is a GPU underused, or does its load fluctuate?
//
// At the end of each scan window, over the GPU's last `window` samples: low where the 95th
// percentile is below threshold_p95; fluctuating where it is above and the 5th is below
// threshold_p5.
#include "aggregate/statistics.h"
#include "rules/details.h"
#include "rules/rule.h"

#include <array>

namespace debrief::rules {

namespace {

struct Thresholds {
  double p95 = 0;
  double p5 = 0;
  std::size_t window = 0;
  std::size_t patience = 0;
};

/// What the last `window` samples of a GPU say.
struct WindowStats {
  double p95 = 0;
  double p5 = 0;
  const char* verdict = nullptr; ///< "low", "fluctuating"; null: neither
};

WindowStats stats_of(std::span<const double> last, const Thresholds& limits) {
  constexpr std::array kShares = {0.05, 0.95};
  std::vector<double> copy(last.begin(), last.end());
  const auto found = aggregate::quantiles(copy, kShares);
  WindowStats stats{found[1], found[0], nullptr};
  if (stats.p95 < limits.p95)
    stats.verdict = "low";
  else if (stats.p95 > limits.p95 && stats.p5 < limits.p5)
    stats.verdict = "fluctuating";
  return stats;
}

/// Everything one GPU adds to the outcome.
void examine(const job::MetricSeries& gpu, const Thresholds& limits, DeviceFindings& findings) {
  const auto times = gpu.time_span();
  const auto values = gpu.value_span();
  std::int64_t low = 0;
  std::int64_t fluctuating = 0;
  std::int64_t first_window = 0;
  std::int64_t last_window = 0;
  std::size_t seen_at_last = 0;
  WindowStats at_last;
  findings.windows.for_each(times, [&](std::int64_t window, std::size_t seen) {
    if (seen <= limits.patience) return;
    const std::size_t begin = seen - std::min(seen, limits.window);
    const WindowStats stats = stats_of(values.subspan(begin, seen - begin), limits);
    if (stats.verdict == nullptr) return;
    findings.incidents.add(gpu.node, gpu.device, {times[begin], times[seen - 1]}, stats.verdict);
    if (low + fluctuating == 0) first_window = window;
    ++(stats.p95 < limits.p95 ? low : fluctuating);
    last_window = window;
    seen_at_last = seen;
    at_last = stats;
  });
  findings.triggered += low + fluctuating;
  findings.devices.push_back({gpu.node,
                              gpu.device,
                              {{"windows_low", static_cast<double>(low)},
                               {"windows_fluctuating", static_cast<double>(fluctuating)}}});
  if (low + fluctuating == 0) return;
  const aggregate::Box box = aggregate::box_of(values.first(seen_at_last));
  findings.details.add(
      gpu.node, gpu.device, first_window, findings.windows.start(last_window),
      with_box({{"gpu_max", box.max}, {"gpu_95", at_last.p95}, {"gpu_5", at_last.p5}}, box));
}

RuleOutcome evaluate_low_gpu_utilization(const RuleInput& input,
                                         const ParameterValues& parameters) {
  const Thresholds limits{parameters.number("threshold_p95"), parameters.number("threshold_p5"),
                          parameters.count("window"), parameters.count("patience")};
  return look_at_devices(input, parameters, {&aggregate::NodeDevices::gpus, "GPU utilization"}, 0,
                         [&](const job::MetricSeries& gpu, DeviceFindings& findings) {
                           examine(gpu, limits, findings);
                         });
}

} // namespace

Rule low_gpu_utilization_rule() {
  return {{"LowGPUUtilization",
           RuleGroup::profiler,
           RuleInputKind::system_metrics,
           "Finds GPUs with low or fluctuating utilization. A low p95 means the GPU is rarely "
           "busy. A high p95 with a low p5 means it waits between bursts.",
           "Find what the GPU waits for (data loading, CPU work, communication, checkpoints). "
           "Raise the batch size, or use fewer or smaller GPUs.",
           {percent_parameter("threshold_p95", "70",
                              "A GPU with a utilization p95 below this is underused"),
            percent_parameter("threshold_p5", "10",
                              "A busy GPU with a utilization p5 below this fluctuates"),
            window_parameter("500", "Window size in samples"), patience_parameter()}},
          evaluate_low_gpu_utilization};
}

} // namespace debrief::rules
