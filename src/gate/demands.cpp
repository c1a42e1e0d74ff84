#include "gate/demands.h"

#include "result/step_time.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::gate {

namespace {

template <typename Demand>
void add_once(std::vector<Demand>& demands, Demand demand) {
  const bool known = std::any_of(demands.begin(), demands.end(),
                                 [&](const Demand& other) { return other.text == demand.text; });
  if (!known) demands.push_back(std::move(demand));
}

bool demanded(const std::vector<FailOn>& demands, result::FindingKind kind) {
  return std::any_of(demands.begin(), demands.end(),
                     [&](const FailOn& demand) { return demand.kind == kind; });
}

/// Failed, skipped, passed.
int rank(result::AssertionStatus status) {
  switch (status) {
  case result::AssertionStatus::failed:
    return 0;
  case result::AssertionStatus::skipped:
    return 1;
  case result::AssertionStatus::passed:
    break;
  }
  return 2;
}

/// A job that cannot be diagnosed fails where that is demanded; then nothing more is to be said of
/// findings.
bool hidden_by_insufficient_data(const Demands& demands, const FailOn& demand,
                                 const result::Result& result) {
  constexpr auto kUndecided = result::FindingKind::insufficient_data;
  const auto verdict = summary_of(result.verdict, result.findings);
  return verdict && verdict->kind == kUndecided && demand.what != FailOn::What::rule &&
         demand.kind != kUndecided && demanded(demands.fail_on, kUndecided);
}

/// Shares of profiled steps that are much slower than the others are the profiler's, not the job's.
void refuse_distorted(const Require& demand, const result::Result& result) {
  if (!compare::is_share_of_profiled_time(demand.figure) || !result::is_profile_distorted(result))
    return;
  throw Error(fmt::format("require {}: profiled steps took {:.1f} times as long as the others, so "
                          "they can't stand for the job, which is not a pass; require gpu.mean or "
                          "job.seconds_per_step, or profile with fewer options (no stacks, no "
                          "shapes)",
                          printable(demand.text), *result::profiling_slowdown(result)));
}

} // namespace

void Demands::add_fail_on(const std::string& text, const std::string& where) {
  add_once(fail_on, parse_fail_on(text, where, custom_rules));
}

void Demands::add_require(const std::string& text, const std::string& where) {
  add_once(require, parse_require(text, where));
}

result::Gate evaluate(const Demands& demands, const result::Result& result,
                      const result::Result* baseline) {
  result::Gate gate;
  std::vector<result::Assertion>& assertions = gate.assertions;
  for (const FailOn& demand : demands.fail_on) {
    if (hidden_by_insufficient_data(demands, demand, result))
      assertions.push_back({"fail-on", demand.text, result::AssertionStatus::skipped, "not found",
                            "not enough data",
                            "The job recorded too little data to diagnose (insufficient_data)."});
    else
      assertions.push_back(evaluate(demand, result));
  }
  if (!demands.require.empty() || baseline) {
    const std::vector<compare::Figure> figures = compare::figures_of(result);
    for (const Require& demand : demands.require) {
      refuse_distorted(demand, result);
      assertions.push_back(evaluate(demand, figures));
    }
    if (baseline) {
      gate.baseline = baseline_name(*baseline);
      for (result::Assertion& assertion :
           compare_with_baseline(*baseline, result, demands.tolerances))
        assertions.push_back(std::move(assertion));
    }
  }
  std::stable_sort(assertions.begin(), assertions.end(),
                   [](const result::Assertion& a, const result::Assertion& b) {
                     return rank(a.status) < rank(b.status);
                   });
  gate.passed = assertions.empty() || assertions.front().status != result::AssertionStatus::failed;
  return gate;
}

} // namespace debrief::gate
