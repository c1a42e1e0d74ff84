#include "findings/loop.h"

#include "findings/series.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace debrief {

namespace {

/// Moments at which some GPU of some node worked, by time.
std::vector<Microseconds> working_moments(const result::Timeline& timeline) {
  std::vector<Microseconds> moments;
  for (const result::NodeTimeline& node : timeline.nodes) {
    const result::MetricTimeline* gpu = find_metric(node, "GPU");
    if (gpu == nullptr) continue;
    for (std::size_t i = 0; i < gpu->times.size(); ++i)
      if (std::any_of(gpu->values.begin(), gpu->values.end(), [&](const auto& values) {
            return values[i] >= static_cast<float>(thresholds::kPausedGpu);
          }))
        moments.push_back(gpu->times[i]);
  }
  std::sort(moments.begin(), moments.end());
  return moments;
}

/// A GPU is touched once while libraries are loaded; the loop begins where work goes on: a moment
/// with another one soon after it. Nothing where all are alone.
template <typename Iterator>
std::optional<Microseconds> first_that_goes_on(Iterator begin, Iterator end) {
  constexpr Microseconds kSoon = 10 * kSecond;
  constexpr std::ptrdiff_t kTogether = 3;
  for (Iterator moment = begin; end - moment >= kTogether; ++moment)
    if (std::abs(*(moment + (kTogether - 1)) - *moment) <= kSoon) return *moment;
  return std::nullopt;
}

} // namespace

Loop find_loop(const result::Result& result) {
  Loop loop;
  const TimeSpan job = result.job.span.value_or(result.timeline.span);
  loop.span = job;
  const auto clipped = [&](Microseconds time) { return std::clamp(time, job.first, job.last); };
  const std::vector<Microseconds> work = working_moments(result.timeline);
  if (result.job.training_loop_start) {
    loop.span.first = clipped(*result.job.training_loop_start);
    loop.start_known = true;
  } else if (!work.empty()) {
    loop.span.first = clipped(first_that_goes_on(work.begin(), work.end()).value_or(work.front()));
  }
  if (result.job.training_loop_end) {
    loop.span.last = clipped(*result.job.training_loop_end);
    loop.end_known = true;
  } else if (!work.empty()) {
    loop.span.last = clipped(first_that_goes_on(work.rbegin(), work.rend()).value_or(work.back()));
  }
  loop.span.last = std::max(loop.span.first, loop.span.last);
  loop.found = loop.start_known || loop.end_known || !work.empty();
  return loop;
}

} // namespace debrief
