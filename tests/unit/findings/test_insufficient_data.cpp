#include "finding_support.h"
#include "result/verdict.h"

namespace test_insufficient_data {

using namespace debrief;
using namespace debrief::test;

namespace {

/// One GPU at 95%, sampled `count` times, `apart` seconds apart.
job::Job sampled(std::size_t count, double apart) {
  std::vector<double> seconds;
  for (std::size_t i = 0; i < count; ++i)
    seconds.push_back(static_cast<double>(i) * apart);
  job::Job job;
  job.metrics.push_back(series("algo-1", gpu(0), seconds, flat(count, 95)));
  return job;
}

} // namespace

TEST_CASE("ten samples over 20 s are enough for a verdict; fewer, or shorter, are not") {
  CHECK(test::verdict_name(analyzed(sampled(10, 2.5))) == "healthy");           // 22.5 s
  CHECK(test::verdict_name(analyzed(sampled(9, 2.5))) == "insufficient_data");  // 20 s
  CHECK(test::verdict_name(analyzed(sampled(10, 2.2))) == "insufficient_data"); // 19.8 s
}

TEST_CASE("too little data says how much there is, and what to record") {
  const result::Result result = analyzed(sampled(9, 2.5));
  const Finding finding = found(result, "insufficient_data");
  CHECK(finding.severity == Severity::info);
  CHECK(finding.score == 0);
  CHECK(finding.why == "debrief needs at least 10 samples over 20 s, or a torch.profiler trace. 9 "
                       "samples were taken over 20 s of training.");
  CHECK_THAT(finding.next, ContainsSubstring("debrief record"));
  CHECK(test::verdict_of(result).title == finding.title);
  CHECK(result.findings.size() == 1);
}

TEST_CASE("a loop of ten seconds says little, unless a long start beside it does") {
  job::Job brief;
  add(brief, gpu(0), flat(61, 0) + flat(20, 95));
  CHECK(test::verdict_name(analyzed(brief)) == "insufficient_data");
  job::Job late;
  add(late, gpu(0), flat(201, 0) + flat(20, 95));
  CHECK(test::verdict_name(analyzed(late)) == "slow_start");
}

TEST_CASE("nothing at all is too little") {
  const result::Result result = analyzed(job::Job{});
  CHECK(test::verdict_name(result) == "insufficient_data");
  CHECK_THAT(test::verdict_of(result).why,
             ContainsSubstring("0 GPU samples and 0 steps were recorded"));
  CHECK_FALSE(result.waste.paid);
}

TEST_CASE("one step is too little, two are enough") {
  job::Job one;
  one.events = test::steps({{"TRAIN", 0, 1}});
  const result::Result result = analyzed(one);
  CHECK(test::verdict_name(result) == "insufficient_data");
  CHECK_THAT(test::verdict_of(result).why, ContainsSubstring("1 step were recorded"));
  job::Job two;
  two.events = test::steps({{"TRAIN", 0, 1}, {"TRAIN", 1, 1}});
  CHECK(test::verdict_name(analyzed(two)) == "healthy");
}

TEST_CASE("steps that take no time are no job") {
  job::Job job;
  job.events = test::steps({{"TRAIN", 5, 0}, {"TRAIN", 5, 0}});
  const result::Result result = analyzed(job);
  CHECK(test::verdict_name(result) == "insufficient_data");
  CHECK_FALSE(result.waste.paid);
}

TEST_CASE("traces without marked steps are too little, and are told what to call") {
  result::Result result = bare_result(0, 10);
  result.traces.files.emplace_back();
  result::GpuActivity gpu;
  gpu.profiled_us = 10e6;
  gpu.busy_us = 9.8e6;
  gpu.idle_us = 0.2e6;
  result.traces.gpus.push_back(gpu);
  result.traces.steps.resize(1); // the trace as a whole
  const result::Result without = diagnosed(result);
  CHECK(test::verdict_name(without) == "healthy");
  CHECK(test::verdict_of(without).confidence == Confidence::low);
  result.traces.steps.resize(20);
  CHECK(test::verdict_of(diagnosed(result)).confidence == Confidence::medium);
  result.traces.gpus.clear();
  const result::Result nothing = diagnosed(result);
  CHECK(test::verdict_name(nothing) == "insufficient_data");
  CHECK_THAT(test::verdict_of(nothing).why, ContainsSubstring("1 trace has no GPU work"));
}

TEST_CASE("a guess is told apart from what more data would show") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 30));
  const Finding finding = found(job, "insufficient_data");
  CHECK(finding.title == "Record more data to confirm the cause");
  CHECK(finding.why ==
        "debrief can't be sure why 70% of the job's GPU time is lost: single steps, data loading, "
        "operators and kernels were not recorded.");
  CHECK(test::verdict_name(analyzed(job)) == "underutilized");
}

TEST_CASE("a share of what was measured says so where some was not") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 30));
  add(job, gpu(1), flat(kSamples / 2, 30)); // it stops in the middle
  CHECK_THAT(found(job, "insufficient_data").why,
             ContainsSubstring("70% of the job's measured GPU time is lost:"));
}

TEST_CASE("what is sure, small, or explains itself asks for nothing more") {
  CHECK_FALSE(finds(paced(0.22, "DataLoaderIter"), "insufficient_data")); // by events
  job::Job small;
  add(small, gpu(0), dip(30));
  CHECK_FALSE(finds(small, "insufficient_data")); // 7.5%
  job::Job idle;
  add(idle, gpu(0), flat(kSamples, 95));
  add(idle, gpu(1), flat(kSamples, 0));
  CHECK_FALSE(finds(idle, "insufficient_data"));
}

TEST_CASE("a job without GPUs is not asked for samples of them") {
  job::Job job;
  add_cores(job, 4, dip(60, 5, 50));
  add_io_wait(job, 4, dip(60, 25, 0));
  const Finding finding = found(job, "insufficient_data");
  CHECK(finding.why.find("GPU") == std::string::npos);
  CHECK_THAT(finding.why, ContainsSubstring("15% of the job's time is lost:"));
}

} // namespace test_insufficient_data
