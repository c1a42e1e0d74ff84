// StepOutlier: are there steps that take much longer than their like?
//
// Per process and mode, over all steps of the job: outlying is what lasts longer than the mean plus
// `stddev` standard deviations, both without the first step, which warms up. Up to `n_outliers`
// are forgiven.
#include "aggregate/activity.h"
#include "rules/details.h"
#include "rules/rule.h"
#include "util/python_float.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;

ordered_json row_json(const result::StepRow& row, const aggregate::StepSeries& series,
                      const aggregate::StepOutliers& found) {
  ordered_json numbers = ordered_json::array();
  for (const std::size_t index : found.outlying) {
    const auto& number = series.steps[index].number;
    numbers.push_back(number ? std::to_string(*number) : "None");
  }
  ordered_json out;
  out["step_stats"] = {{"mean", row.mean}, {"max", row.max}, {"p99", row.p99},
                       {"p95", row.p95},   {"p50", row.p50}, {"min", row.min}};
  out["number_of_outliers"] = found.outlying.size();
  out["phase"] = "Step:ModeKeys." + row.mode;
  out["stddev"] = python_round(found.stddev, 2);
  out["probs"] = row.histogram.counts;
  out["binedges"] = row.histogram.edges;
  out["step_numbers"] = std::move(numbers);
  return out;
}

const result::StepRow& row_of(const aggregate::StepSeries& series,
                              const std::vector<result::StepRow>& rows) {
  return *std::find_if(rows.begin(), rows.end(), [&](const result::StepRow& row) {
    return row.process == series.process && row.mode == series.mode;
  });
}

RuleOutcome evaluate_step_outlier(const RuleInput& input, const ParameterValues& parameters) {
  const double factor = parameters.number("stddev");
  const auto forgiven = parameters.count("n_outliers");
  const std::string& mode = parameters.text("mode");
  const auto interval = static_cast<Microseconds>(parameters.number("scan_interval_us"));

  RuleOutcome outcome;
  outcome.details["step_details"] = ordered_json::object();
  ordered_json& details = outcome.details["step_details"];
  IncidentList incidents;
  aggregate::ActivityWindows held;
  std::size_t most = 0;
  double beyond_mean = 0; // seconds
  double all_steps = 0;   // seconds
  for (const aggregate::StepSeries& series : input.steps) {
    if (mode != "None" && series.mode != mode) continue;
    outcome.datapoints += static_cast<std::int64_t>(series.steps.size());
    most = std::max(most, series.steps.size());
    const result::StepRow& row = row_of(series, input.result.steps);
    all_steps += *row.total;
    const auto found = aggregate::find_outliers(series, factor);
    if (!found) continue;
    // SageMaker has one entry per process, so that EVAL hides TRAIN: the first mode keeps the plain
    // name, others say theirs.
    const std::string key = details.contains(series.process)
                                ? fmt::format("{} ({})", series.process, series.mode)
                                : series.process;
    details[key] = row_json(row, series, *found);
    if (found->outlying.size() <= forgiven) continue;
    outcome.violations += static_cast<std::int64_t>(found->outlying.size());
    const double mean = found->threshold - factor * found->stddev;
    std::set<std::int64_t> windows;
    for (const std::size_t index : found->outlying) {
      const aggregate::Step& step = series.steps[index];
      windows.insert(step.span.first / interval);
      beyond_mean += step.seconds() - mean;
      if (!step.clock_known) continue;
      held[series.process].push_back(step.span);
      incidents.add(series.process, "", step.span,
                    step.number ? fmt::format("{} step {}", series.mode, *step.number)
                                : series.mode + " step");
    }
    outcome.triggered += static_cast<std::int64_t>(windows.size());
  }

  if (most <= aggregate::kStepsForOutliers) {
    RuleOutcome none = not_evaluated(
        most == 0 ? fmt::format("no {}step was recorded", mode == "None" ? "" : mode + " ")
                  : fmt::format("needs more than {1} steps (found {0})", most,
                                aggregate::kStepsForOutliers));
    none.datapoints = outcome.datapoints;
    none.details = std::move(outcome.details);
    return none;
  }
  outcome.status =
      outcome.violations > 0 ? result::RuleStatus::issue_found : result::RuleStatus::no_issue;
  if (outcome.violations > 0)
    outcome.reason = fmt::format("outliers took {} longer than the mean, {:.2g}% of step time",
                                 to_human_duration(beyond_mean), 100 * beyond_mean / all_steps);
  if (!held.empty()) {
    outcome.activity = aggregate::activity(input.job.events, input.kinds, input.steps, held,
                                           aggregate::ActivityScope::process);
    add_activity(outcome.details, outcome.activity);
  }
  std::move(incidents).move_to(outcome);
  return outcome;
}

} // namespace

Rule step_outlier_rule() {
  return {{"StepOutlier",
           RuleGroup::profiler,
           RuleInputKind::framework_events,
           "Finds steps that take much longer than others of the same process and mode.",
           "Compare what ran during outliers with the rest (checkpoints, logging, evaluation, data "
           "loading, garbage collection), and move it out of the step.",
           {{"mode", ParameterType::mode, "None", 0, 0, "",
             "Steps to check: TRAIN, EVAL, or None for every mode"},
            {"n_outliers", ParameterType::integer, "10", 0, 1e9, "steps",
             "Outliers allowed per process and mode"},
            {"stddev", ParameterType::number, "3", 0, 1000, "standard deviations",
             "A step farther above the mean is an outlier"}}},
          evaluate_step_outlier};
}

} // namespace debrief::rules
