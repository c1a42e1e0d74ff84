#include "rules/profiler_report.h"

#include <catch2/catch_test_macros.hpp>

namespace test_recorded_row {

using namespace debrief;
using nlohmann::json;
using result::RuleStatus;

namespace {

job::RuleOutput output(std::int64_t triggered, std::int64_t violations, std::int64_t datapoints,
                       const std::string& parameters = "", json details = json::object()) {
  job::RuleOutput out;
  out.triggered = triggered;
  out.violations = violations;
  out.datapoints = datapoints;
  out.parameters = parameters;
  out.set_details(std::move(details));
  return out;
}

result::RuleRow row(const char* rule, const job::RuleOutput& recorded, const char* metric = "GPU") {
  result::Result result;
  for (const char* recorded_metric : {metric, "CPU", "I/O"})
    result.system_usage.emplace_back().metric = *result::from_text<result::Metric>(recorded_metric);
  return rules::recorded_row(recorded, *rules::find_rule(rule), result);
}

} // namespace

TEST_CASE("a recorded outcome keeps SageMaker's counts and parameters") {
  const auto found = row("LowGPUUtilization",
                         output(4, 5, 1068, "threshold_p95:70\nthreshold_p5:10\npatience:1000"));
  CHECK(found.recorded_by_sagemaker);
  CHECK(found.status == RuleStatus::issue_found);
  CHECK(found.triggered == 4);
  CHECK(found.violations == 5);
  CHECK(found.datapoints == 1068);
  REQUIRE(found.parameters.size() == 3);
  CHECK(found.parameters[1] == std::pair<std::string, std::string>{"threshold_p5", "10"});
}

TEST_CASE("a recorded outcome of too few samples was not evaluated") {
  const auto few = row("LowGPUUtilization", output(0, 0, 1000, "patience:1000"));
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 1,000 samples, set by the patience parameter (found 1,000)");
  CHECK(row("LowGPUUtilization", output(0, 0, 1001, "patience:1000")).status ==
        RuleStatus::no_issue);
  CHECK(row("LowGPUUtilization", output(0, 0, 21, "patience:20")).status == RuleStatus::no_issue);
}

// Error 12.
TEST_CASE("a recorded outcome about GPUs of a job without GPUs was not evaluated") {
  const auto found = row("CPUBottleneck", output(0, 0, 5000, "patience:1000"), "CPU");
  CHECK(found.status == RuleStatus::not_evaluated);
  CHECK(found.reason == "no GPU utilization was recorded");
  CHECK(found.parts.empty());
}

TEST_CASE("the moments of a recorded bottleneck are three parts that sum to all of them") {
  const auto found =
      row("CPUBottleneck", output(1, 810, 1070, "patience:1000", {{"low_gpu_utilization", 1068}}));
  REQUIRE(found.parts.size() == 3);
  CHECK(found.parts[0].count == 2);
  CHECK(found.parts[1].count == 258);
  CHECK(found.parts[2].count == 810);
  CHECK(found.parts[0].percent + found.parts[1].percent + found.parts[2].percent > 99.999);
}

TEST_CASE("parts of a recorded bottleneck that cannot be are left out") {
  for (const json& details :
       {json::object(), json{{"low_gpu_utilization", 2000}}, json{{"low_gpu_utilization", 5}},
        json{{"low_gpu_utilization", "many"}}, json{{"low_gpu_utilization", nullptr}}}) {
    INFO(details.dump());
    CHECK(row("IOBottleneck", output(1, 10, 1070, "patience:1000", details)).parts.empty());
  }
}

TEST_CASE("recorded rules on events were evaluated where there were enough of them") {
  CHECK(row("Dataloader", output(0, 0, 0)).reason == "no data-loader event was recorded");
  CHECK(row("Dataloader", output(0, 0, 10)).reason ==
        "10 data-loader events recorded, too few for this rule");
  CHECK(row("Dataloader", output(0, 0, 10)).status == RuleStatus::not_evaluated);
  CHECK(row("Dataloader", output(0, 0, 11)).status == RuleStatus::no_issue);
  CHECK(row("Dataloader", output(1, 2, 90)).status == RuleStatus::issue_found);

  const json none = {{"step_details", json::object()}};
  const json some = {{"step_details", {{"algo-1-27", json::object()}}}};
  CHECK(row("StepOutlier", output(0, 0, 0, "", none)).reason == "no step was recorded");
  CHECK(row("StepOutlier", output(0, 0, 70, "", none)).status == RuleStatus::not_evaluated);
  CHECK(row("StepOutlier", output(0, 0, 170, "", some)).status == RuleStatus::no_issue);
  CHECK(row("StepOutlier", output(5, 68, 223, "", some)).status == RuleStatus::issue_found);
}

TEST_CASE("recorded aggregates never trigger") {
  const auto usage = row("OverallSystemUsage", output(0, 0, 2000));
  CHECK(usage.status == RuleStatus::no_issue);
  CHECK(usage.reason == "collects metrics; it never triggers");
  const auto framework = row("OverallFrameworkMetrics", output(0, 0, 0));
  CHECK(framework.status == RuleStatus::not_evaluated);
  CHECK(framework.reason == "SageMaker recorded no metrics");
}

TEST_CASE("recorded parameters that make no sense are passed over") {
  const auto found = row("LoadBalancing", output(0, 0, 50, "\n\nno colon\npatience:x\n:\na:b:c"));
  REQUIRE(found.parameters.size() == 3);
  CHECK(found.parameters[0].second == "x");
  CHECK(found.parameters[2] == std::pair<std::string, std::string>{"a", "b:c"});
  CHECK(found.status == RuleStatus::no_issue); // no patience that could be read
}

} // namespace test_recorded_row
