#include "custom_rules/program.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_program {

using namespace debrief;
using namespace debrief::custom_rules;
using result::RuleStatus;

namespace {

CustomRule rule(const std::string& script) {
  CustomRule out;
  out.name = "Mine";
  out.description = "configured";
  out.recommendation = "do this";
  out.how = Program{{"sh", "-c", script, "sh"}, "", std::chrono::seconds{20}};
  return out;
}

result::Result job() {
  result::Result result;
  result.job.span = TimeSpan{1'794'700'000 * kSecond, 1'794'700'100 * kSecond};
  return result;
}

result::RuleRow row(const std::string& script) {
  return run_program(rule(script), "/the/tables", job());
}

result::RuleRow answered(const std::string& json) {
  return row("cat <<'END'\n" + json + "\nEND");
}

} // namespace

TEST_CASE("a program gets the folder of the tables, and its answer is the row") {
  const result::RuleRow found = row(R"(printf '{"triggered": true, "reason": "%s"}' "$1")");
  CHECK(found.status == RuleStatus::issue_found);
  CHECK(found.reason == "/the/tables");
  CHECK(found.triggered == 1);
  CHECK(found.violations == 1);
  CHECK(found.description == "configured");
  CHECK(found.recommendation == "do this");
  CHECK(found.severity == result::Severity::warning);
}

TEST_CASE("what a program says goes over what the config file says") {
  const result::RuleRow found = answered(
      R"({"triggered": false, "description": "d", "recommendation": "r", "severity": "critical",
          "samples": 7})");
  CHECK(found.status == RuleStatus::no_issue);
  CHECK(found.triggered == 0);
  CHECK(found.datapoints == 7);
  CHECK(found.description == "d");
  CHECK(found.recommendation == "r");
  CHECK(found.severity == result::Severity::critical);
}

TEST_CASE("rows with steps are by what they are about, in the order of steps") {
  const result::RuleRow found = answered(R"({"triggered": true, "rows": [
    {"step": 9, "name": "a", "value": 3}, {"step": 4, "name": "a", "value": 2, "threshold": 1},
    {"step": 4, "name": "a", "value": 2}, {"step": 4}]})");
  CHECK(found.triggered == 2);
  CHECK(found.violations == 3);
  CHECK(found.model.steps == std::vector<std::int64_t>{4, 9});
  REQUIRE(found.model.tensors.size() == 2);
  CHECK(found.model.tensors[0].tensor == "a");
  CHECK(found.model.tensors[0].steps == std::vector<std::int64_t>{4, 9});
  CHECK(found.model.tensors[0].value == 2.0);
  CHECK(found.model.tensors[0].threshold == 1.0);
  CHECK(found.model.tensors[1].tensor == "the job");
  CHECK_FALSE(found.model.tensors[1].value);
  CHECK(found.reason == "the program reports 2 steps");
}

TEST_CASE("rows with times are intervals within the job") {
  const result::RuleRow found = answered(R"({"triggered": true, "rows": [
    {"time": 1794700050, "end": 1794700060, "node": "n", "what": "slow", "value": 2.5},
    {"time": 1794700000, "end": 1794700100}]})");
  CHECK(found.incident_count == 2);
  CHECK(found.incidents.at(1).what == "slow 2.50");
  CHECK(found.incidents[1].node == "n");
  CHECK(found.clock_seconds == 100);
  CHECK(found.reason == "the program reports 2 intervals");
  for (const char* time : {R"("time": 1794699999)", R"("time": 1794700050, "end": 1794700101)"}) {
    const result::RuleRow outside =
        answered(R"({"triggered": true, "rows": [{)" + std::string{time} + "}]}");
    CHECK(outside.status == RuleStatus::not_evaluated);
    CHECK(outside.incidents.empty());
    CHECK(outside.reason == "the program wrote rows[0] with a time at which the job did not run");
  }
}

TEST_CASE("whatever becomes of a program, the row says so") {
  CHECK(row("echo oops >&2; echo '  KeyError: x' >&2; exit 3").reason ==
        "the program ended with exit code 3:   KeyError: x");
  CHECK(row("exit 1").reason == "the program ended with exit code 1");
  CHECK(row("kill -SEGV $$").reason == "the program was ended by signal 11 (Segmentation fault)");
  CHECK(row("cat /dev/zero").reason == "the program wrote more than 1.05 MB and was stopped");
  CHECK(row("echo no").reason == "the program wrote what is not JSON at byte 2");
  CHECK(row("true").reason == "the program wrote nothing");
  CHECK(answered(R"({"triggered": null})").reason ==
        "the program could not judge the job, and does not say why");
  CustomRule missing = rule("");
  missing.how = Program{{"/no/such"}, "", std::chrono::seconds{1}};
  CHECK(run_program(missing, "", job()).reason ==
        "the program /no/such could not be started: No such file or directory");
  CustomRule slow = rule("sleep 20");
  std::get<Program>(slow.how).limit = std::chrono::milliseconds{100};
  const result::RuleRow stopped = run_program(slow, "", job());
  CHECK(stopped.status == RuleStatus::not_evaluated);
  CHECK(stopped.reason == "the program took longer than 100 ms and was stopped");
}

} // namespace test_program
