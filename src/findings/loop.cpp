#include "findings/loop.h"

#include "findings/series.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace debrief::findings {

namespace {

/// Moments at which some GPU of the node worked, by time.
std::vector<Microseconds> working_moments(const aggregate::NodeSeries& node) {
  std::vector<Microseconds> moments;
  const aggregate::NodeMetricSeries* gpu = node.find(result::Metric::gpu);
  if (gpu == nullptr) return moments;
  for (std::size_t i = 0; i < gpu->times.size(); ++i)
    if (std::any_of(gpu->values.begin(), gpu->values.end(), [&](const auto& values) {
          return values[i] >= static_cast<float>(thresholds::kPausedGpu);
        }))
      moments.push_back(gpu->times[i]);
  return moments;
}

/// A GPU is touched once while libraries are loaded; the loop begins where work goes on: a moment
/// with another one soon after it. Nothing where all are alone.
template <typename Iterator>
std::optional<Microseconds> first_that_goes_on(Iterator begin, Iterator end) {
  constexpr auto kMoments = static_cast<std::ptrdiff_t>(thresholds::kMinMomentsOfWork);
  for (Iterator moment = begin; end - moment >= kMoments; ++moment)
    if (std::abs(*(moment + (kMoments - 1)) - *moment) <= thresholds::kMaxPauseOfWork)
      return *moment;
  return std::nullopt;
}

/// When GPUs worked: from the node where work goes on first to the one where it ends last. Single
/// touches count only where there is nothing else.
std::optional<TimeSpan> work_of(std::span<const aggregate::NodeSeries> series) {
  std::optional<TimeSpan> going_on;
  std::optional<TimeSpan> any;
  const auto widen = [](std::optional<TimeSpan>& span, Microseconds time) {
    if (!span) span = TimeSpan{time, time};
    span->include(time);
  };
  for (const aggregate::NodeSeries& node : series) {
    const std::vector<Microseconds> moments = working_moments(node);
    if (moments.empty()) continue;
    widen(any, moments.front());
    widen(any, moments.back());
    const auto first = first_that_goes_on(moments.begin(), moments.end());
    const auto last = first_that_goes_on(moments.rbegin(), moments.rend());
    if (first) widen(going_on, *first);
    if (last) widen(going_on, *last);
  }
  return going_on ? going_on : any;
}

} // namespace

Loop find_loop(const result::Result& result, std::span<const aggregate::NodeSeries> series) {
  Loop loop;
  const TimeSpan job = result.job.span.value_or(result.timeline.span);
  loop.span = job;
  const auto clipped = [&](Microseconds time) { return std::clamp(time, job.first, job.last); };
  const std::optional<TimeSpan> work = work_of(series);
  if (result.job.training_loop_start) {
    loop.span.first = clipped(*result.job.training_loop_start);
    loop.start_known = true;
  } else if (work) {
    loop.span.first = clipped(work->first);
  }
  if (result.job.training_loop_end) {
    loop.span.last = clipped(*result.job.training_loop_end);
    loop.end_known = true;
  } else if (work) {
    loop.span.last = clipped(work->last);
  }
  loop.span.last = std::max(loop.span.first, loop.span.last);
  loop.found = loop.start_known || loop.end_known || work.has_value();
  return loop;
}

} // namespace debrief::findings
