// OverallSystemUsage: percentiles of every resource per node. Aggregates only; it never triggers.
#include "rules/details.h"
#include "rules/rule.h"
#include "util/python_float.h"

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;

/// Two decimals; what is not above zero is written as the integer 0.
ordered_json rounded(double value) {
  return value > 0 ? ordered_json(python_round(value, 2)) : ordered_json(0);
}

RuleOutcome evaluate_overall_system_usage(const RuleInput& input, const ParameterValues&) {
  RuleOutcome outcome;
  for (const result::Metric metric :
       {result::Metric::network, result::Metric::gpu, result::Metric::cpu,
        result::Metric::cpu_memory, result::Metric::gpu_memory, result::Metric::io}) {
    ordered_json nodes = ordered_json::object();
    for (const result::UsageRow& row : input.result.system_usage)
      if (row.metric == metric)
        nodes[row.node] = {{"max", rounded(row.max)},
                           {"p99", rounded(row.p99)},
                           {"p95", rounded(row.p95)},
                           {"p50", rounded(row.p50)},
                           {"min", rounded(row.min)}};
    outcome.details[to_text(metric)] = std::move(nodes);
  }
  for (const result::UsageRow& row : input.result.system_usage) {
    if (row.metric != result::Metric::cpu) continue;
    outcome.datapoints = row.samples.value_or(0); // of the first node, as SageMaker has it
    break;
  }
  outcome.status = input.result.system_usage.empty() ? result::RuleStatus::not_evaluated
                                                     : result::RuleStatus::no_issue;
  outcome.reason = input.result.system_usage.empty() ? "no system metric was recorded"
                                                     : "collects metrics; it never triggers";
  return outcome;
}

} // namespace

Rule overall_system_usage_rule() {
  return {{"OverallSystemUsage",
           RuleGroup::profiler,
           RuleInputKind::system_metrics,
           "Collects each node's use of CPU, GPU, memory, I/O wait and network.",
           "See System usage.",
           {}},
          evaluate_overall_system_usage};
}

// OverallFrameworkMetrics: what the framework spent its time on. Aggregates only; it never
// triggers.

namespace {

RuleOutcome evaluate_overall_framework_metrics(const RuleInput& input, const ParameterValues&) {
  RuleOutcome outcome;
  add_framework(outcome.details, input.result.framework);
  const bool any = input.job.events.size() > 0 || !input.job.traces.empty();
  outcome.status = any ? result::RuleStatus::no_issue : result::RuleStatus::not_evaluated;
  outcome.reason = any ? "collects metrics; it never triggers" : "no framework event was recorded";
  return outcome;
}

} // namespace

Rule overall_framework_metrics_rule() {
  return {
      {"OverallFrameworkMetrics",
       RuleGroup::profiler,
       RuleInputKind::framework_events,
       "Collects the time in steps, between steps, in operators, data loading and communication.",
       "See Framework.",
       {}},
      evaluate_overall_framework_metrics};
}

} // namespace debrief::rules
