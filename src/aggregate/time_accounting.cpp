#include "aggregate/time_accounting.h"

#include "aggregate/spans.h"

#include <algorithm>

namespace debrief::aggregate {

result::TimeAccounting time_accounting(const result::JobSummary& summary,
                                       std::span<const StepSeries> steps) {
  result::TimeAccounting accounting;
  const auto& job = summary.span;
  if (!job) return accounting;
  accounting.total = in_seconds(job->length());
  const auto add = [&](const std::string& part, Microseconds length) {
    const double percent = job->length() > 0 ? 100 * in_seconds(length) / *accounting.total : 0;
    accounting.parts.push_back({part, in_seconds(length), percent});
  };

  // A mode's time is what it adds to the modes before it, so that no moment counts twice.
  std::vector<std::string> modes;
  for (const StepSeries& series : steps)
    if (series.steps.front().clock_known &&
        std::find(modes.begin(), modes.end(), series.mode) == modes.end())
      modes.push_back(series.mode);
  std::sort(modes.begin(), modes.end(), mode_less);
  if (modes.empty()) {
    const Microseconds begin = summary.training_loop_start.value_or(job->first);
    if (begin > job->first) add("initialization", begin - job->first);
    add("unattributed", job->last - begin);
    return accounting;
  }
  std::vector<TimeSpan> covered;
  std::vector<Microseconds> lengths;
  for (const std::string& mode : modes) {
    const Microseconds before = total_length(covered);
    for (const StepSeries& series : steps)
      if (series.mode == mode)
        for (const Step& step : series.steps)
          if (step.clock_known) covered.push_back(step.span);
    covered = merged(std::move(covered));
    lengths.push_back(total_length(covered) - before);
  }
  const TimeSpan loop{covered.front().first, covered.back().last};
  if (modes.size() == 1 && modes.front() == kProfiledMode) {
    const Microseconds begin =
        std::min(summary.training_loop_start.value_or(job->first), loop.first);
    if (begin > job->first) add("initialization", begin - job->first);
    add(kProfiledMode, lengths.front());
    add("unattributed", job->last - begin - lengths.front());
    return accounting;
  }
  add("initialization", loop.first - job->first);
  for (std::size_t i = 0; i < modes.size(); ++i)
    add(modes[i], lengths[i]);
  add("between steps", loop.length() - total_length(covered));
  add("finalization", job->last - loop.last);
  return accounting;
}

} // namespace debrief::aggregate
