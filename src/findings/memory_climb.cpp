#include "findings/memory_climb.h"

#include "findings/thresholds.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace debrief::findings {

namespace {

using namespace thresholds;

bool is_gpu_metric(const job::MetricSeries& series, std::string_view dimension) {
  return series.recorded_as.type == "gpu" && series.recorded_as.dimension == dimension;
}

/// Places [first, last) of the samples in the last minute of a job; later ones saw it gone.
struct LastMinute {
  std::size_t first = 0;
  std::size_t last = 0;
};

LastMinute last_minute(const job::MetricSeries& series, Microseconds end) {
  const auto times = series.time_span();
  const auto place = [&](auto found) { return static_cast<std::size_t>(found - times.begin()); };
  return {place(std::lower_bound(times.begin(), times.end(), end - kJustBeforeEnd)),
          place(std::upper_bound(times.begin(), times.end(), end))};
}

/// The place of the highest sample of the last minute, the last of them.
std::optional<std::size_t> top_of(const job::MetricSeries& series, Microseconds end) {
  const LastMinute minute = last_minute(series, end);
  if (minute.first >= minute.last) return std::nullopt;
  std::size_t top = minute.first;
  for (std::size_t at = minute.first; at < minute.last; ++at)
    if (series.values[at] >= series.values[top]) top = at;
  return top;
}

/// Where the climb to `top` begins: no sample in between lies below the one before it, and none far
/// above, as where a model is loaded.
std::size_t foot_of(std::span<const double> values, std::size_t top) {
  std::size_t foot = top;
  while (foot > 0 && values[foot - 1] <= values[foot] + kClimbSlack * values[top] &&
         values[foot - 1] >= kClimbFoot * values[top])
    --foot;
  for (std::size_t at = foot + 1; at <= top; ++at)
    if (values[at] - values[at - 1] > kClimbJump * (values[top] - values[foot])) foot = at;
  const double level = values[foot] + kClimbSlack * values[top];
  while (foot < top && values[foot + 1] <= level)
    ++foot; // it stayed as it was, at first
  return foot;
}

std::optional<MemoryClimb> climb_of(const job::MetricSeries& series, Microseconds end) {
  const auto top = top_of(series, end);
  if (!top || series.values[*top] <= 0) return std::nullopt;
  const std::span<const double> values = series.value_span();
  const std::size_t foot = foot_of(values, *top);
  const double climbed = values[*top] - values[foot];
  const double middle = values[foot + (*top - foot) / 2] - values[foot];
  if (*top - foot < kClimbSamples || climbed < kClimbLeast * values[*top] ||
      middle < kClimbHalf * climbed || middle > (1 - kClimbHalf) * climbed)
    return std::nullopt;
  const auto times = series.time_span();
  const auto used = std::find_if(values.begin(), values.end(),
                                 [&](double value) { return value >= kClimbFoot * values[*top]; });
  const Microseconds since = times[static_cast<std::size_t>(used - values.begin())];
  MemoryClimb climb{series.node, series.device, values[foot], values[*top],
                    in_seconds(times[*top] - times[foot])};
  climb.since_start = climb.seconds >= kClimbWhole * in_seconds(times[*top] - since);
  return climb;
}

} // namespace

std::optional<MemoryClimb> memory_climb(std::span<const job::MetricSeries> metrics,
                                        Microseconds end) {
  const job::MetricSeries* fullest = nullptr;
  double most = 0;
  for (const job::MetricSeries& series : metrics)
    if (is_gpu_metric(series, "GPUMemoryUsedBytes"))
      if (const auto top = top_of(series, end); top && series.values[*top] > most) {
        most = series.values[*top];
        fullest = &series;
      }
  return fullest == nullptr ? std::nullopt : climb_of(*fullest, end);
}

std::optional<double> memory_at_end(std::span<const job::MetricSeries> metrics, Microseconds end) {
  std::optional<double> most;
  for (const job::MetricSeries& series : metrics)
    if (is_gpu_metric(series, "GPUMemoryUtilization"))
      if (const auto top = top_of(series, end))
        most = std::max(most.value_or(0), series.values[*top]);
  return most;
}

} // namespace debrief::findings
