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

TEST_CASE("ten samples are enough for a verdict, however short the time") {
  CHECK(test::verdict_name(analyzed(sampled(10, 0.5))) == "healthy");
  CHECK(test::verdict_name(analyzed(sampled(9, 2.5))) == "insufficient_data");
}

TEST_CASE("what is not found in less than 20 s, ten samples or 20 steps may be there") {
  CHECK(analyzed(sampled(10, 2.5)).verdict.conclusive);       // 22.5 s
  CHECK_FALSE(analyzed(sampled(10, 2.2)).verdict.conclusive); // 19.8 s
  CHECK_FALSE(analyzed(sampled(9, 2.5)).verdict.conclusive);
  job::Job steps;
  std::vector<Event> list;
  add_steps(list, 0, 9.5);
  steps.events = events(list);
  CHECK_FALSE(analyzed(steps).verdict.conclusive);
  add_steps(list, 9.5, 10);
  steps.events = events(list);
  CHECK(analyzed(steps).verdict.conclusive);
}

TEST_CASE("too little data says how much there is, and what to record") {
  job::Job job = sampled(9, 2.5);
  const result::Result result = analyzed(job);
  const Finding finding = found(result, "insufficient_data");
  CHECK(finding.severity == Severity::info);
  CHECK(finding.score == 0);
  CHECK(finding.why == "debrief needs at least 10 samples, 2 steps or a torch.profiler trace. This "
                       "job has 9 samples in 20 s and 0 steps.");
  CHECK_THAT(finding.next, ContainsSubstring("debrief record"));
  CHECK(test::verdict_of(result).title == finding.title);
  CHECK(result.findings.size() == 1);
  job.description.recorder = "debrief 0.1.0";
  CHECK_THAT(found(job, "insufficient_data").next, !ContainsSubstring("debrief record"));
}

TEST_CASE("a job that was recorded is not told to record what can't be had") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 30));
  CHECK(finds(job, "insufficient_data"));
  CHECK_THAT(found(job, "underutilized").next, ContainsSubstring("debrief record"));
  job.description.recorder = "debrief 0.1.0"; // no steps: it is no PyTorch script
  CHECK_FALSE(finds(job, "insufficient_data"));
  CHECK_THAT(found(job, "underutilized").next, !ContainsSubstring("debrief record"));
  job.events = events(paced_events(0, ""));
  CHECK_THAT(found(job, "underutilized").next, ContainsSubstring("--trace after=5"));
  job::Job without_gpu = paced(0.4, "");
  without_gpu.metrics.clear();
  add_cores(without_gpu, 4, flat(kSamples, 50));
  CHECK(finds(without_gpu, "between_steps"));
  without_gpu.description.recorder = "debrief 0.1.0";
  CHECK_FALSE(finds(without_gpu, "insufficient_data"));
}

TEST_CASE("nothing at all is too little") {
  const result::Result result = analyzed(job::Job{});
  CHECK(test::verdict_name(result) == "insufficient_data");
  CHECK_THAT(test::verdict_of(result).why,
             ContainsSubstring("This job has 0 samples and 0 steps."));
  CHECK_FALSE(result.waste.paid);
}

TEST_CASE("one step is too little, two are enough") {
  job::Job one;
  one.events = test::steps({{"TRAIN", 0, 1}});
  const result::Result result = analyzed(one);
  CHECK(test::verdict_name(result) == "insufficient_data");
  CHECK_THAT(test::verdict_of(result).why, ContainsSubstring("0 samples and 1 step."));
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
