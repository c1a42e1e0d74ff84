// MaxInitializationTime: does it take too long until the first step?
#include "rules/details.h"
#include "rules/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;
using result::RuleStatus;

/// When the last step began; nothing where SageMaker's figures are all there is.
std::optional<Microseconds> last_start(std::span<const aggregate::StepSeries> steps) {
  std::optional<Microseconds> last;
  for (const aggregate::StepSeries& series : steps)
    for (const aggregate::Step& step : series.steps)
      if (step.clock_known) last = std::max(last.value_or(step.span.first), step.span.first);
  return last;
}

RuleOutcome evaluate_max_initialization_time(const RuleInput& input,
                                             const ParameterValues& parameters) {
  const auto& span = input.result.job.span;
  if (!span) return not_evaluated("the job's start and end are unknown");
  const double allowed = parameters.number("threshold") * 60;
  const auto& first = input.result.job.training_loop_start;

  RuleOutcome outcome;
  outcome.details["step_num"] = ordered_json::object();
  if (const auto last = last_start(input.steps); first && last && *first <= *last)
    outcome.details["step_num"] = {{"first", *first}, {"last", *last}};
  outcome.details["job_start"] = in_seconds(span->first);
  outcome.details["job_end"] = in_seconds(span->last);
  for (const aggregate::StepSeries& series : input.steps)
    outcome.datapoints += static_cast<std::int64_t>(series.steps.size());

  if (!first && outcome.datapoints > 0) {
    const bool profiled = std::all_of(
        input.steps.begin(), input.steps.end(),
        [](const aggregate::StepSeries& series) { return series.mode == result::kProfiledMode; });
    outcome.reason = profiled ? "only profiled steps were recorded, not the first step"
                              : "the times of steps are unknown";
    return outcome;
  }
  // SageMaker's own outcomes are of a job whose framework it watched.
  if (!first && input.job.rule_outputs.empty() && !aggregate::has_timelines(input.job.events)) {
    outcome.reason = input.job.traces.empty()
                         ? "no framework data was recorded, so the start of training is unknown"
                         : "PyTorch traces do not say when the first step began";
    return outcome;
  }
  const TimeSpan waiting{span->first, first.value_or(span->last)};
  const double waited = in_seconds(waiting.length());
  if (waited > allowed) {
    outcome.triggered = 1;
    outcome.violations = 1;
    outcome.status = RuleStatus::issue_found;
    outcome.reason = first ? fmt::format("the first step began after {:.1f} min", waited / 60)
                           : fmt::format("no step was recorded in {:.1f} min", waited / 60);
    IncidentList incidents;
    incidents.add("", "", waiting);
    std::move(incidents).move_to(outcome);
  } else if (first) {
    outcome.status = RuleStatus::no_issue;
  } else {
    outcome.status = RuleStatus::not_evaluated;
    outcome.reason = "no step was recorded, and the job is shorter than the allowed startup time";
  }
  return outcome;
}

} // namespace

Rule max_initialization_time_rule() {
  return {{"MaxInitializationTime",
           RuleGroup::profiler,
           RuleInputKind::framework_events,
           "Checks how long the job takes until its first step.",
           "Look at what runs before the first step: downloads, unpacking, building the model, "
           "compiling kernels. Stream data instead of copying it first.",
           {{"threshold", ParameterType::number, "20", 0, 100'000, "min",
             "Allowed time until the first step"}},
           true},
          evaluate_max_initialization_time};
}

} // namespace debrief::rules
