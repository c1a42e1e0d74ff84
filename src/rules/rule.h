// A profiler rule: what it is called, what it looks for, what to do about it, its parameters, and
// its evaluation over a job. One file per rule; registry.cpp lists them.
#pragma once

#include "aggregate/steps.h"
#include "aggregate/work.h"
#include "job/job.h"
#include "result/result.h"
#include "rules/parameter.h"

#include <span>
#include <string>
#include <vector>

namespace debrief::rules {

/// What a rule looks at. Where a job has no such data, SageMaker's own outcome is shown if there is
/// one.
enum class RuleInputKind { system_metrics, framework_events };

struct RuleDeclaration {
  std::string name; ///< "LowGPUUtilization"
  RuleInputKind looks_at = RuleInputKind::system_metrics;
  std::string description;
  std::string recommendation;
  /// In the order of SageMaker's "RuleParameters"; scan_interval_us, which every rule has, is added
  /// by the registry.
  std::vector<Parameter> parameters;
  /// Whether the figures of the result are enough, so that the rule can be evaluated on SageMaker's
  /// where a job has nothing else.
  bool needs_figures_only = false;
};

/// A job with what was found out about it before the rules run.
struct RuleInput {
  const job::Job& job;
  const aggregate::WorkKinds& kinds;
  std::span<const aggregate::StepSeries> steps;
  const result::Result& result; ///< all but rules
};

/// What a rule found. The runner adds name, texts and parameters.
using RuleOutcome = result::RuleRow;

struct Rule {
  RuleDeclaration declaration;
  RuleOutcome (*evaluate)(const RuleInput& input, const ParameterValues& parameters);
};

/// Every rule, in the order of their names.
std::span<const Rule> all_rules();

/// Null where there is none of this name.
const Rule* find_rule(std::string_view name);

/// An outcome that says why there is none.
RuleOutcome not_evaluated(std::string reason);

} // namespace debrief::rules
