#include "aggregate/job_summary.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_job_summary {

using namespace debrief;
using test::at;
using test::series;

TEST_CASE("a job lasts from its first to its last sample, its loop from first to last step") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 50, 100}, {1, 2, 3}));
  job.metrics.push_back(series("algo-1", test::gpu(0), {-0.5, 99}, {1, 2}));
  job.events = test::steps({{"TRAIN", 20, 5}, {"EVAL", 70, 9}, {"TRAIN", 60, 5}});
  const auto summary = aggregate::job_summary(job);
  REQUIRE(summary.span);
  CHECK(*summary.span == TimeSpan{at(-0.5), at(100)});
  CHECK(summary.training_loop_start == at(20));
  CHECK(summary.training_loop_end == at(79));
  REQUIRE(summary.nodes.size() == 1);
  CHECK(summary.nodes[0].cores == 1);
  CHECK(summary.nodes[0].gpus == 1);
  CHECK(summary.processes == std::vector<std::string>{"algo-1-27"});
}

TEST_CASE("a mean over all cores is not the core of a machine with one") {
  job::Job job;
  job.metrics.push_back(series("vm", {"cpu", "all cores", "CPUUtilization"}, {0, 1}, {6, 6}));
  const auto summary = aggregate::job_summary(job);
  REQUIRE(summary.nodes.size() == 1);
  CHECK_FALSE(summary.nodes[0].cores);
}

TEST_CASE("steps outside the samples widen the job") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {10, 20}, {1, 2}));
  job.events = test::steps({{"TRAIN", 5, 1}, {"TRAIN", 24, 6}});
  CHECK(*aggregate::job_summary(job).span == TimeSpan{at(5), at(30)});
}

TEST_CASE("without steps the loop is not known; without GPUs there are none") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 1}, {1, 2}));
  const auto summary = aggregate::job_summary(job);
  CHECK_FALSE(summary.training_loop_start);
  CHECK_FALSE(summary.training_loop_end);
  CHECK(summary.nodes[0].gpus == 0);
}

TEST_CASE("without system metrics, cores and GPUs are not known") {
  job::Job job;
  job.events = test::steps({{"TRAIN", 5, 1}});
  const auto summary = aggregate::job_summary(job);
  CHECK(*summary.span == TimeSpan{at(5), at(6)});
  REQUIRE(summary.nodes.size() == 1);
  CHECK_FALSE(summary.nodes[0].cores);
  CHECK_FALSE(summary.nodes[0].gpus);
}

TEST_CASE("rule outputs know when a job ran") {
  job::Job job;
  job::RuleOutput output;
  output.rule = "MaxInitializationTime";
  output.set_details(nlohmann::json::parse(
      R"({"step_num": {"first": 1700000020000000, "last": 1700000090000000}, "job_start": 1700000000.5, "job_end": 1700000100})"));
  job.rule_outputs.push_back(output);
  const auto summary = aggregate::job_summary(job);
  CHECK(*summary.span == TimeSpan{at(0.5), at(100)});
  CHECK(summary.training_loop_start == at(20));
  CHECK_FALSE(summary.training_loop_end); // when the last step ended is not in the document
}

TEST_CASE("a job is named by its description, else by its folder") {
  job::Job job;
  job.input_name = "folder";
  CHECK(aggregate::job_summary(job).name == "folder");
  CHECK_FALSE(aggregate::job_summary(job).span);
  job.description.name = "described";
  job.description.start = at(0);
  job.description.end = at(9);
  CHECK(aggregate::job_summary(job).name == "described");
  CHECK(*aggregate::job_summary(job).span == TimeSpan{at(0), at(9)});
}

namespace {

job::Trace trace_of(const std::string& node, const std::string& process, double start, double end) {
  job::Trace trace;
  trace.node = node;
  trace.process = process;
  trace.tracks = {{false, 1, 1, {}}};
  job::Slice slice;
  slice.start = to_nanoseconds(at(start));
  slice.duration = to_nanoseconds(at(end) - at(start));
  trace.names.intern("aten::add");
  trace.slices.push_back(slice);
  return trace;
}

job::EventTable profiled(double start, double duration) {
  return test::events({{.phase = "Step:ModeKeys.PROFILED",
                        .start = start,
                        .duration = duration,
                        .kind = job::TimelineKind::pytorch_profiler}});
}

} // namespace

TEST_CASE("a job of nothing but traces has their span, processes, nodes and GPUs") {
  job::Job job;
  job.traces.push_back(trace_of("host-1", "rank 0", 10, 20));
  job.traces.back().gpus = {{0, "A", {}, {}, {}, {}, {}}, {1, "A", {}, {}, {}, {}, {}}};
  job.traces.push_back(trace_of("host-2", "rank 1", 12, 30));
  job.traces.back().tracks.push_back({true, 3, 7, {}});
  job.traces.push_back(trace_of("host-3", "rank 2", 12, 25));
  job.traces.push_back(trace_of("host-3", "rank 3", -90, 25));
  job.traces.back().clock_known = false;
  job.events = profiled(11, 2);
  const auto summary = aggregate::job_summary(job);
  CHECK(*summary.span == TimeSpan{at(10), at(30)});
  CHECK_FALSE(summary.training_loop_start);
  CHECK_FALSE(summary.training_loop_end);
  CHECK(summary.framework == "PyTorch");
  CHECK(summary.processes ==
        std::vector<std::string>{"algo-1-27", "rank 0", "rank 1", "rank 2", "rank 3"});
  REQUIRE(summary.nodes.size() == 4); // and the events' own
  CHECK(summary.nodes[1].name == "host-1");
  CHECK(summary.nodes[1].gpus == 2);
  CHECK(summary.nodes[2].gpus == 1);
  CHECK_FALSE(summary.nodes[3].gpus);
}

TEST_CASE("what is measured goes before traces, which widen it by their steps") {
  job::Job job;
  job.description.framework = "TensorFlow";
  job.metrics.push_back(series("host-1", test::gpu(0), {0, 100}, {1, 2}));
  job.traces.push_back(trace_of("host-1", "rank 0", -500, 500));
  job.traces.back().gpus = {{0, "A", {}, {}, {}, {}, {}}, {1, "A", {}, {}, {}, {}, {}}};
  job.events = profiled(98, 4);
  const auto summary = aggregate::job_summary(job);
  CHECK(*summary.span == TimeSpan{at(0), at(102)});
  CHECK_FALSE(summary.training_loop_start);
  CHECK(summary.framework == "TensorFlow");
  CHECK(summary.nodes.back().gpus == 1);
}

} // namespace test_job_summary
