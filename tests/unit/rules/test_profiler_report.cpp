#include "render/documents/rule_outputs.h"
#include "rules/profiler_report.h"
#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

#include <set>

namespace test_profiler_report {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

namespace {

/// Whether every number is finite; nlohmann writes null for those that are not.
bool all_finite(const nlohmann::ordered_json& value) {
  if (value.is_number_float()) return std::isfinite(value.get<double>());
  return !value.is_structured() || std::all_of(value.begin(), value.end(), all_finite);
}

/// Rows of every rule, whose outputs are JSON and whose numbers are finite.
std::vector<result::RuleRow> sound_rows(const job::Job& job) {
  auto rows = analyzed(job).rules;
  REQUIRE(rows.size() == 11);
  for (const result::RuleRow& row : rows) {
    INFO(row.rule);
    CHECK(all_finite(row.details));
    CHECK(nlohmann::json::accept(render::rule_output_text(row)));
    CHECK((row.status == RuleStatus::issue_found) == (row.triggered > 0));
    CHECK((row.status != RuleStatus::not_evaluated || !row.reason.empty()));
    for (const result::DeviceFigures& device : row.devices)
      for (const auto& [name, figure] : device.figures)
        CHECK(std::isfinite(figure));
    for (const result::DatapointPart& part : row.parts)
      CHECK(std::isfinite(part.percent));
  }
  return rows;
}

std::set<std::string> evaluated(const std::vector<result::RuleRow>& rows) {
  std::set<std::string> names;
  for (const result::RuleRow& row : rows)
    if (row.status != RuleStatus::not_evaluated) names.insert(row.rule);
  return names;
}

/// Two idle GPUs beside busy cores, and steps.
job::Job idle_job(const std::string& node, std::size_t samples = 1100) {
  job::Job job;
  for (const job::MetricName& name : {cpu(0), io_wait(0)})
    add(job, node, name, flat(samples, 100));
  add(job, node, gpu(0), flat(samples, 0));
  add(job, node, gpu(1), flat(samples, 50));
  add(job, node, gpu_memory(0), cycle(samples, {0, 0, 0, 90, 90, 90}));
  std::vector<Recorded> list;
  for (int i = 0; i < 150; ++i)
    list.push_back({.phase = "Step:ModeKeys.TRAIN",
                    .start = 3.0 * i,
                    .duration = i % 12 == 5 ? 2.5 : 0.5,
                    .process = node + "-1"});
  list.push_back({.phase = "cpu_functions", .duration = 400, .name = node, .process = node + "-1"});
  list.push_back({.phase = "DataLoaderIter", .duration = 400, .process = node + "-1", .pid = 1});
  job.events = recorded(list);
  return job;
}

} // namespace

TEST_CASE("every rule has a row with its texts and parameters, most triggered first") {
  const auto rows = sound_rows(idle_job("algo-1"));
  CHECK(std::is_sorted(rows.begin(), rows.end(),
                       [](const auto& a, const auto& b) { return a.triggered > b.triggered; }));
  for (const result::RuleRow& row : rows) {
    INFO(row.rule);
    CHECK(row.description == rules::find_rule(row.rule)->declaration.description);
    CHECK(row.recommendation == rules::find_rule(row.rule)->declaration.recommendation);
    CHECK_FALSE(row.recorded_by_sagemaker);
  }
  CHECK(evaluated(rows).size() == 11);
}

TEST_CASE("parameters are those of SageMaker's files") {
  const auto result = analyzed(idle_job("algo-1"), "StepOutlier", {{"stddev", "4"}});
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  CHECK(row_of(result.rules, "StepOutlier").parameters ==
        Pairs{{"threshold", "4"}, {"mode", "None"}, {"n_outliers", "10"}, {"stddev", "4"}});
  CHECK(row_of(result.rules, "LoadBalancing").parameters ==
        Pairs{{"threshold", "0.2"}, {"patience", "1000"}});
  CHECK(result.provenance.parameters.at("StepOutlier_stddev") == "4");
}

// Error 12.
TEST_CASE("the rules on GPUs are not evaluated for a job without GPUs") {
  job::Job job;
  add(job, cpu(0), flat(2000, 95));
  add(job, io_wait(0), flat(2000, 95));
  const auto rows = sound_rows(job);
  CHECK(evaluated(rows) == std::set<std::string>{"OverallSystemUsage"});
  for (const result::RuleRow& row : rows)
    if (row.rule != "OverallSystemUsage") {
      INFO(row.rule);
      CHECK(row.triggered == 0);
      CHECK_FALSE(row.reason.empty());
    }
}

TEST_CASE("a job of nothing, or of one sample, is not said to be well") {
  CHECK(evaluated(sound_rows(job::Job{})).empty());
  job::Job job = idle_job("algo-1", 1);
  job.events = recorded({});
  CHECK(evaluated(sound_rows(job)) == std::set<std::string>{"OverallSystemUsage"});
}

TEST_CASE("hostile names pass through the rules, and their outputs stay JSON") {
  for (const std::string& node :
       {std::string{"last_timestamp"}, std::string{"\"}]\\"}, std::string{"\x01\n\x7f"},
        std::string{"\xff\xfe\xc3"}, std::string{"a\0b", 3}, std::string{""},
        std::string{"</script><b>{{ x }}%s{}"}, std::string(5000, 'x')}) {
    INFO(node);
    const auto rows = sound_rows(idle_job(node));
    CHECK(row_of(rows, "LowGPUUtilization").incidents.at(0).node == node);
  }
}

TEST_CASE("values beyond a percentage's bounds give finite figures") {
  job::Job job;
  for (const job::MetricName& name : {cpu(0), io_wait(0), gpu(0), gpu(1), gpu_memory(0)})
    add(job, name, cycle(1100, {1e300, -1e300, 0, 100, 250, -3}));
  sound_rows(job);
}

TEST_CASE("a timeline whose clock is not known is evaluated as far as it goes") {
  job::Job job = idle_job("algo-1");
  std::vector<Recorded> list;
  for (int i = 0; i < 150; ++i)
    list.push_back({.phase = "Step:ModeKeys.TRAIN",
                    .start = -1.7e9 + i,
                    .duration = 0.5,
                    .clock_known = false});
  job.events = recorded(list);
  const auto names = evaluated(sound_rows(job));
  CHECK(names.contains("StepOutlier"));
  CHECK_FALSE(names.contains("MaxInitializationTime"));
}

TEST_CASE("SageMaker's own outcome stands in where a job has nothing to evaluate") {
  job::Job job;
  job::RuleOutput output;
  output.rule = "Dataloader";
  output.triggered = 1;
  output.violations = 3;
  output.datapoints = 250;
  output.parameters = "min_threshold:70\nmax_threshold:200";
  output.set_details(nlohmann::json::object());
  job.rule_outputs = {output};
  const auto row = outcome(job, "Dataloader");
  CHECK(row.recorded_by_sagemaker);
  CHECK(row.violations == 3);
  job.events = recorded({{"Step:ModeKeys.TRAIN", 0, 1}});
  CHECK_FALSE(outcome(job, "Dataloader").recorded_by_sagemaker);
}

// Error 6.
TEST_CASE("initialization is judged anew on the times of SageMaker's files") {
  job::Job job;
  job::RuleOutput output;
  output.rule = "MaxInitializationTime";
  output.datapoints = 5;
  output.set_details(nlohmann::json::parse(
      R"({"step_num": {"first": 1700001500000000, "last": 1700001600000000}, "job_start": 1700000000.0, "job_end": 1700003600.0})"));
  job.rule_outputs = {output};
  const auto row = outcome(job, "MaxInitializationTime");
  CHECK_FALSE(row.recorded_by_sagemaker);
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.triggered == 1);
}

} // namespace test_profiler_report
