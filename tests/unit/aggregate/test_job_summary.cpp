#include "aggregate/job_summary.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

using namespace debrief;
using test::at;
using test::series;

TEST_CASE("a job lasts from its first to its last sample, its loop from first to last step") {
  Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 50, 100}, {1, 2, 3}));
  job.metrics.push_back(series("algo-1", test::gpu(0), {-0.5, 99}, {1, 2}));
  job.events = test::steps({{"TRAIN", 20, 5}, {"EVAL", 70, 9}, {"TRAIN", 60, 5}});
  const auto summary = job_summary(job);
  REQUIRE(summary.span);
  CHECK(*summary.span == TimeSpan{at(-0.5), at(100)});
  CHECK(summary.training_loop_start == at(20));
  CHECK(summary.training_loop_end == at(79));
  REQUIRE(summary.nodes.size() == 1);
  CHECK(summary.nodes[0].cores == 1);
  CHECK(summary.nodes[0].gpus == 1);
  CHECK(summary.processes == std::vector<std::string>{"algo-1-27"});
}

TEST_CASE("steps outside the samples widen the job") {
  Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {10, 20}, {1, 2}));
  job.events = test::steps({{"TRAIN", 5, 1}, {"TRAIN", 24, 6}});
  CHECK(*job_summary(job).span == TimeSpan{at(5), at(30)});
}

TEST_CASE("without steps the loop is not known; without GPUs there are none") {
  Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 1}, {1, 2}));
  const auto summary = job_summary(job);
  CHECK_FALSE(summary.training_loop_start);
  CHECK_FALSE(summary.training_loop_end);
  CHECK(summary.nodes[0].gpus == 0);
}

TEST_CASE("without system metrics, cores and GPUs are not known") {
  Job job;
  job.events = test::steps({{"TRAIN", 5, 1}});
  const auto summary = job_summary(job);
  CHECK(*summary.span == TimeSpan{at(5), at(6)});
  REQUIRE(summary.nodes.size() == 1);
  CHECK_FALSE(summary.nodes[0].cores);
  CHECK_FALSE(summary.nodes[0].gpus);
}

TEST_CASE("rule outputs know when a job ran") {
  Job job;
  RuleOutput output;
  output.rule = "MaxInitializationTime";
  output.details = nlohmann::json::parse(
      R"({"step_num": {"first": 1700000020000000, "last": 1700000090000000}, "job_start": 1700000000.5, "job_end": 1700000100})");
  job.rule_outputs.push_back(output);
  const auto summary = job_summary(job);
  CHECK(*summary.span == TimeSpan{at(0.5), at(100)});
  CHECK(summary.training_loop_start == at(20));
  CHECK_FALSE(summary.training_loop_end); // when the last step ended is not in the document
}

TEST_CASE("a job is named by its description, else by its folder") {
  Job job;
  job.input_name = "folder";
  CHECK(job_summary(job).name == "folder");
  CHECK_FALSE(job_summary(job).span);
  job.description.name = "described";
  job.description.start = at(0);
  job.description.end = at(9);
  CHECK(job_summary(job).name == "described");
  CHECK(*job_summary(job).span == TimeSpan{at(0), at(9)});
}
