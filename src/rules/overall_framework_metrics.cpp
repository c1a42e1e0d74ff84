// OverallFrameworkMetrics: what the framework spent its time on. Aggregates only; it never
// triggers.
#include "rules/activity_details.h"
#include "rules/declarations.h"

namespace debrief::rules {

namespace {

RuleOutcome evaluate_overall_framework_metrics(const RuleInput& input, const ParameterValues&) {
  RuleOutcome outcome;
  add_framework(outcome.details, input.result.framework);
  const bool any = input.job.events.size() > 0 || !input.job.traces.empty();
  outcome.status = any ? result::RuleStatus::no_issue : result::RuleStatus::not_evaluated;
  outcome.reason = any ? "collects figures; it never triggers" : "no framework event was recorded";
  return outcome;
}

} // namespace

Rule overall_framework_metrics_rule() {
  return {{"OverallFrameworkMetrics",
           RuleInputKind::framework_events,
           "Collects how much time the framework spent in and between steps, in operators, in data "
           "loading and in communication.",
           "Read it in the section on the framework.",
           {}},
          evaluate_overall_framework_metrics};
}

} // namespace debrief::rules
