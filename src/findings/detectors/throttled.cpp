// Hardware or a limit slows the job down: GPUs by heat or power, cores by the control group. It
// shows in no idle time of its own, so its score is 0.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace debrief::findings {

namespace {

namespace limits = thresholds;

/// How much of the training loop something was throttled.
struct Throttled {
  std::string node;
  std::string device;            ///< "gpu0"; empty: the cores
  double share = 0;              ///< mean over the samples, 0 to 1
  std::optional<double> clock{}; ///< of the maximum, mean while throttled
  std::vector<TimeSpan> windows;
};

const job::MetricSeries* sampled_with(const DiagnosisContext& ctx, const job::MetricSeries& beside,
                                      std::string_view dimension) {
  for (const job::MetricSeries& series : ctx.metrics)
    if (series.node == beside.node && series.device == beside.device &&
        series.recorded_as.type == "gpu" && series.recorded_as.dimension == dimension)
      return &series;
  return nullptr;
}

/// Nothing where the loop has too few samples.
std::optional<Throttled> throttling_of(const DiagnosisContext& ctx,
                                       const job::MetricSeries& series) {
  Throttled out{series.node, series.device, 0, std::nullopt, {}};
  double samples = 0;
  const auto times = series.time_span();
  for (std::size_t at = 0; at < series.size(); ++at) {
    if (!ctx.loop.span.contains(times[at])) continue;
    ++samples;
    const double value = std::clamp(series.values[at], 0.0, 100.0);
    out.share += value / 100;
    if (value <= 0 || at == 0 || !ctx.loop.span.contains(times[at - 1])) continue;
    if (!out.windows.empty() && out.windows.back().last == times[at - 1])
      out.windows.back().last = times[at];
    else
      out.windows.push_back({times[at - 1], times[at]});
  }
  if (samples < limits::kMinSamples) return std::nullopt;
  out.share /= samples;
  return out;
}

/// Mean of the SM clock, of its maximum, at samples at which the GPU was throttled.
std::optional<double> clock_while(const DiagnosisContext& ctx, const job::MetricSeries& throttled) {
  const job::MetricSeries* clock = sampled_with(ctx, throttled, "GPUSMClockMHz");
  const job::MetricSeries* most = sampled_with(ctx, throttled, "GPUSMClockMaxMHz");
  if (clock == nullptr || most == nullptr || most->values.empty()) return std::nullopt;
  const double highest = *std::max_element(most->values.begin(), most->values.end());
  double sum = 0;
  double samples = 0;
  std::size_t at = 0;
  const auto clock_times = clock->time_span();
  for (std::size_t i = 0; i < throttled.size(); ++i) {
    const Microseconds time = throttled.time_span()[i];
    if (throttled.values[i] <= 0 || !ctx.loop.span.contains(time)) continue;
    while (at < clock->size() && clock_times[at] < time)
      ++at;
    if (at == clock->size() || clock_times[at] != time) continue;
    sum += clock->values[at];
    ++samples;
  }
  if (samples == 0 || !(highest > 0)) return std::nullopt;
  return std::clamp(sum / samples / highest, 0.0, 1.0);
}

std::vector<Throttled> throttled_gpus(const DiagnosisContext& ctx, std::string_view dimension,
                                      double least) {
  std::vector<Throttled> found;
  for (const job::MetricSeries& series : ctx.metrics) {
    if (series.recorded_as.type != "gpu" || series.recorded_as.dimension != dimension) continue;
    auto throttled = throttling_of(ctx, series);
    if (!throttled || throttled->share < least) continue;
    throttled->clock = clock_while(ctx, series);
    found.push_back(std::move(*throttled));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  return found;
}

result::Finding throttled_finding(const DiagnosisContext& ctx, result::FindingKind kind,
                                  const std::vector<Throttled>& found) {
  const Throttled& first = found.front();
  result::Finding finding;
  finding.kind = kind;
  finding.confidence = result::Confidence::high;
  finding.ground = ground_of(ctx);
  for (const Throttled& it : found)
    if (finding.where.size() < result::kMaxPlaces)
      finding.where.push_back({it.node, it.device, "", 0});
  finding.evidence.push_back({"throttled", 100 * first.share, "%"});
  if (first.clock)
    finding.evidence.push_back({"SM clock while throttled", 100 * *first.clock, "%"});
  set_windows(first.windows, finding);
  return finding;
}

std::string throttled_words(const std::vector<Throttled>& found, const char* reason) {
  const Throttled& first = found.front();
  std::string why =
      fmt::format("{} lowered its clocks for {} in {} of the training loop's samples",
                  words::place(first.node, first.device), reason, words::percent(first.share));
  if (first.clock)
    why +=
        fmt::format("; its SM clock was then at {} of the maximum", words::percent(*first.clock));
  why += '.';
  if (found.size() > 1)
    why += fmt::format(" {} as well.", found.size() == 2
                                           ? "Another GPU did"
                                           : fmt::format("{} other GPUs did", found.size() - 1));
  return why;
}

} // namespace

std::optional<result::Finding> find_gpu_throttled(const DiagnosisContext& ctx) {
  const auto hot = throttled_gpus(ctx, "GPUThermalThrottledPercent", limits::kThermalThrottled);
  if (!hot.empty()) {
    auto finding = throttled_finding(ctx, result::FindingKind::gpu_throttled, hot);
    finding.severity = hot.front().share >= limits::kMostlyThrottled ? result::Severity::critical
                                                                     : result::Severity::warning;
    finding.title = "GPUs slow down because they are too hot";
    finding.why = throttled_words(hot, "heat");
    finding.actions = {"Check fans, airflow and dust, and what runs next to it.",
                       "Until then, lower the power limit (nvidia-smi -pl): clocks stay even."};
    return finding;
  }
  auto limited = throttled_gpus(ctx, "GPUPowerThrottledPercent", limits::kPowerThrottled);
  std::erase_if(limited,
                [](const Throttled& it) { return !it.clock || *it.clock > limits::kLowClock; });
  if (limited.empty()) return std::nullopt;
  std::stable_sort(limited.begin(), limited.end(),
                   [](const auto& a, const auto& b) { return *a.clock < *b.clock; });
  auto finding = throttled_finding(ctx, result::FindingKind::gpu_throttled, limited);
  finding.severity = *limited.front().clock <= limits::kVeryLowClock ? result::Severity::warning
                                                                     : result::Severity::info;
  finding.title = "GPUs run at their power limit";
  finding.why = throttled_words(limited, "its power limit");
  finding.actions = {"Compare the limit with the GPU's default (nvidia-smi -q -d POWER), and raise "
                     "it if somebody lowered it."};
  return finding;
}

std::optional<result::Finding> find_cpu_throttled(const DiagnosisContext& ctx) {
  std::vector<Throttled> found;
  std::optional<double> limit;
  for (const job::MetricSeries& series : ctx.metrics) {
    if (series.recorded_as.type != "cgroup") continue;
    if (series.recorded_as.name == "CPULimitCores" && !series.values.empty() && !limit)
      limit = series.values.front();
    if (series.recorded_as.name != "CPUThrottledPercent") continue;
    auto throttled = throttling_of(ctx, series);
    if (throttled && throttled->share >= limits::kCoresThrottled)
      found.push_back(std::move(*throttled));
  }
  if (found.empty()) return std::nullopt;
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  const Throttled& first = found.front();
  auto finding = throttled_finding(ctx, result::FindingKind::cpu_throttled, found);
  finding.severity = first.share >= limits::kMostlyThrottled ? result::Severity::critical
                                                             : result::Severity::warning;
  finding.title = "The container's CPU limit stops the job";
  finding.why = fmt::format("On {}, the control group's limit{} stopped the job in {} of the "
                            "scheduler's periods in the training loop.",
                            words::place(first.node, ""),
                            limit ? fmt::format(" of {:.3g} cores", *limit) : "",
                            words::percent(first.share));
  finding.actions = {"Raise the CPU limit (Kubernetes: resources.limits.cpu, Docker: --cpus).",
                     "Or run fewer data-loader workers and threads (OMP_NUM_THREADS)."};
  if (limit) finding.evidence.push_back({"CPU limit", *limit, ""});
  return finding;
}

} // namespace debrief::findings
