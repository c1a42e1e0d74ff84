#include "gate/demands.h"
#include "gate/message.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_fail_on {

using namespace debrief;
using namespace debrief::gate;
using result::AssertionStatus;
using result::Severity;

namespace {

result::Finding finding(const std::string& kind, Severity severity) {
  result::Finding out;
  out.kind = *result::from_text<result::FindingKind>(kind);
  out.severity = severity;
  out.score = 0.25;
  out.title = "Title of " + kind;
  out.why = "Because.";
  return out;
}

result::RuleRow rule(const std::string& name, result::RuleStatus status) {
  result::RuleRow row;
  row.rule = name;
  row.description = "looks for trouble";
  row.status = status;
  row.reason = status == result::RuleStatus::not_evaluated ? "no step was recorded" : "";
  row.triggered = 3;
  return row;
}

result::Result example() {
  result::Result result;
  result.verdict.finding = 0;
  result.findings = {finding("input_bound", Severity::critical),
                     finding("step_stalls", Severity::warning),
                     finding("slow_start", Severity::info)};
  result.rules = {rule("LowGPUUtilization", result::RuleStatus::issue_found),
                  rule("BatchSize", result::RuleStatus::no_issue),
                  rule("StepOutlier", result::RuleStatus::not_evaluated)};
  return result;
}

result::Assertion outcome(const std::string& text, const result::Result& result = example()) {
  return evaluate(parse_fail_on(text, "--fail-on " + text), result);
}

std::string refusal(const std::string& text) {
  return test::message_of([&] { parse_fail_on(text, "--fail-on " + text); });
}

} // namespace

TEST_CASE("a kind of finding fails where it was found, whatever its severity") {
  const result::Assertion failed = outcome("slow_start");
  CHECK(failed.kind == "fail-on");
  CHECK(failed.name == "slow_start");
  CHECK(failed.status == AssertionStatus::failed);
  CHECK(failed.expected == "not found");
  CHECK(failed.found == "info, 25.0% lost");
  CHECK(failed.message == "Title of slow_start: Because.");
  const result::Assertion passed = outcome("io_bound");
  CHECK(passed.status == AssertionStatus::passed);
  CHECK(passed.found == "not found");
}

TEST_CASE("a severity fails on every finding that is as severe, and names them") {
  const result::Assertion warning = outcome("severity >= warning");
  CHECK(warning.name == "severity >= warning");
  CHECK(warning.status == AssertionStatus::failed);
  CHECK(warning.expected == "no warning or critical finding");
  CHECK(warning.found == "2 findings: input_bound, step_stalls");
  CHECK(warning.message == "input_bound, critical: Title of input_bound; step_stalls, warning: "
                           "Title of step_stalls.");
  CHECK(outcome("severity>info").found == warning.found);
  CHECK(outcome("severity>=info").found == "3 findings: input_bound, step_stalls, slow_start");
  CHECK(outcome("severity>warning").found == "1 finding: input_bound");
  result::Result mild = example();
  mild.findings.erase(mild.findings.begin());
  CHECK(outcome("severity>=critical", mild).status == AssertionStatus::passed);
  CHECK(outcome("severity>=critical", mild).found == "none");
}

TEST_CASE("a rule fails on an issue, and one that was not evaluated is no pass") {
  CHECK(outcome("LowGPUUtilization").status == AssertionStatus::failed);
  CHECK(outcome("LowGPUUtilization").found == "an issue, triggered 3 times");
  CHECK(outcome("LowGPUUtilization").message ==
        "LowGPUUtilization found an issue: looks for trouble.");
  CHECK(outcome("BatchSize").status == AssertionStatus::passed);
  CHECK(test::message_of([] { outcome("StepOutlier"); }) ==
        "fail-on StepOutlier: the rule could not be evaluated on this job, which is not a pass (no "
        "step was recorded); record what it needs, or drop this check");
  CHECK(test::message_of([] { outcome("IOBottleneck"); }).find("it has no outcome") !=
        std::string::npos);
}

TEST_CASE("a custom rule can be named, and counts by its severity") {
  result::Result result = example();
  result.findings.clear();
  result.verdict.finding.reset();
  result.rules = {rule("Mine", result::RuleStatus::issue_found)};
  result.rules[0].severity = Severity::warning;
  const std::vector<std::string> names = {"Mine"};
  CHECK(evaluate(parse_fail_on("Mine", "", names), result).status == AssertionStatus::failed);
  CHECK(refusal("Mine").find("not a finding, a rule or a severity") != std::string::npos);
  CHECK(test::message_of([&] { parse_fail_on("Mime", "", names); }).find("'Mine'?") !=
        std::string::npos);
  CHECK(outcome("severity>=critical", result).status == AssertionStatus::passed);
  const result::Assertion failed = outcome("severity>=warning", result);
  CHECK(failed.status == AssertionStatus::failed);
  CHECK(failed.found == "1 custom rule: Mine");
  CHECK(failed.message == "Mine, warning: looks for trouble.");
  result.findings = {finding("input_bound", Severity::critical)};
  CHECK(outcome("severity>=warning", result).found ==
        "1 finding and 1 custom rule: input_bound, Mine");
}

TEST_CASE("a custom rule that was not evaluated is no pass of its severity") {
  result::Result result = example();
  result.rules = {rule("Mine", result::RuleStatus::not_evaluated)};
  result.rules[0].severity = Severity::warning;
  CHECK(test::message_of([&] { outcome("severity>=warning", result); }) ==
        "fail-on severity>=warning: the custom rule Mine could not be evaluated on this job, which "
        "is not a pass (no step was recorded); record what it needs, or drop the rule");
  CHECK(test::message_of([&] { outcome("severity>=critical", result); }) == "no error");
}

TEST_CASE("a job that cannot be diagnosed passes no demand on findings") {
  result::Result undecided;
  result::Finding& finding = undecided.findings.emplace_back();
  finding.kind = result::FindingKind::insufficient_data;
  finding.why = "No sample.";
  finding.next = "Record.";
  undecided.verdict.finding = 0;
  CHECK(test::message_of([&] { outcome("step_stalls", undecided); }) ==
        "fail-on step_stalls: the job recorded too little data to diagnose, which is not a pass "
        "(No sample.); Record.");
  CHECK(test::message_of([&] { outcome("severity>=info", undecided); }) != "no error");
  CHECK(outcome("insufficient_data", undecided).status == AssertionStatus::failed);
  CHECK(outcome("insufficient_data").status == AssertionStatus::passed);
}

TEST_CASE("what means nothing comes with the nearest that does") {
  CHECK(refusal("step_stall") == "--fail-on step_stall: not a finding, a rule or a severity (did "
                                 "you mean 'step_stalls'?); docs/ci.md lists them");
  CHECK(refusal("LowGpuUtilization").find("did you mean 'LowGPUUtilization'?") !=
        std::string::npos);
  CHECK(refusal("severity>=criticl").find("did you mean 'critical'?") != std::string::npos);
  CHECK(refusal("severity>critical") ==
        "--fail-on severity>critical: nothing is more severe than critical; write "
        "severity>=critical");
  for (const char* text : {"", "healthy", "severity", "severity=critical", "severity<=critical"})
    CHECK(refusal(text) != "no error");
}

} // namespace test_fail_on
