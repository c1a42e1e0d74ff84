#include "finding_support.h"

namespace test_underutilized {

using namespace debrief;
using namespace debrief::test;

namespace {

job::Job at_use(double percent) {
  job::Job job;
  add(job, gpu(0), flat(kSamples, percent));
  return job;
}

} // namespace

TEST_CASE("a GPU at 69 % that nothing explains is underutilized, one at 71 % is not") {
  const Finding finding = found(at_use(69), "underutilized");
  CHECK_THAT(finding.score, WithinAbs(0.31, kClose));
  CHECK(finding.severity == Severity::warning); // moderate, though a third of the time
  CHECK(finding.confidence == Confidence::medium);
  CHECK(finding.ground == "401 samples");
  CHECK(finding.title == "The GPU is underutilized; the cause was not recorded");
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK_THAT(finding.where[0].share, WithinAbs(0.31, kClose));
  CHECK_FALSE(finds(at_use(71), "underutilized"));
}

TEST_CASE("a GPU whose kernels fill less than a third of it is underutilized, however busy") {
  const auto job_with = [](double utilization, double sm_active) {
    job::Job job = at_use(utilization);
    add(job, {"gpu", "gpu0", "GPUSMActivePercent"}, flat(kSamples, sm_active));
    return job;
  };
  const result::Result result = analyzed(job_with(90, 29));
  const Finding finding = found(result, "underutilized");
  CHECK_THAT(finding.score, WithinAbs(1 - 0.29, kClose));
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.why == "Kernels ran on the GPU for 90% of the training loop, but kept only 29% of "
                       "its SMs busy.");
  CHECK(evidence(finding, "SM activity in the training loop") == 29);
  CHECK(result.waste.basis == "GPU utilization and SM activity samples");
  CHECK_THAT(result.waste.busy_percent, WithinAbs(29, 0.1));
  CHECK_FALSE(finds(job_with(90, 30), "underutilized")); // 33.3 %
  // A GPU that is idle anyway is judged as every other.
  CHECK(found(job_with(49, 1), "underutilized").why.starts_with("The GPU was busy 49%"));
  CHECK(found(job_with(50, 1), "underutilized").why.starts_with("Kernels ran on the GPU for 50%"));
}

TEST_CASE("processes that share a hardly filled GPU are told to have one each") {
  job::Job job = at_use(90);
  add(job, {"gpu", "gpu0", "GPUSMActivePercent"}, flat(kSamples, 1));
  std::vector<Event> list = paced_events(0, "");
  for (Event event : paced_events(0, "")) {
    event.process = "algo-1-28";
    list.push_back(event);
  }
  job.events = events(list);
  CHECK(found(job, "underutilized").actions.at(2) ==
        "Run one process per GPU (now 2 on 1): processes that share a GPU take turns.");
}

TEST_CASE("underutilized is critical where half of the loop is lost") {
  CHECK(found(at_use(51), "underutilized").severity == Severity::warning);
  CHECK(found(at_use(49), "underutilized").severity == Severity::critical);
}

TEST_CASE("where nothing tells what the GPU waits for, a profile comes first") {
  job::Job job = at_use(30);
  add(job, test::gpu_memory(0), flat(kSamples, 1));
  job.description.hyperparameters["batch_size"] = "8";
  const Finding finding = found(job, "underutilized");
  CHECK(finding.title == "The GPU is underutilized; the cause was not recorded");
  CHECK(finding.why == "The GPU was busy 30% of the training loop. It sat idle for the other 70% "
                       "of the loop; the reason was not recorded.");
  CHECK(finding.next ==
        "Run the job again with 'debrief record': it profiles a few steps, which show what the GPU "
        "waits for. If kernel launches are the limit, raise the batch size (now 8): GPU memory "
        "peaks at 1.0%.");
  CHECK_FALSE(finding.gain);
  CHECK(evidence(finding, "batch size") == 8);
  CHECK_THAT(evidence(finding, "highest GPU memory"), WithinAbs(1, kClose));
}

TEST_CASE("a batch of 8 with memory at 1 % is told how much would fit") {
  job::Job job = at_use(30);
  add(job, test::gpu_memory(0), flat(kSamples, 1));
  job.description.hyperparameters["batch_size"] = "8";
  job.events = events(paced_events(0, ""));
  CHECK_THAT(found(job, "underutilized").why,
             ContainsSubstring("not for data, disk or CPU, and no trace shows for what."));
  result::Result result = analyzed(job);
  result.traces.files.emplace_back();
  result.traces.steps.resize(4);
  const Finding finding = found(diagnosed(result, job), "underutilized");
  CHECK(finding.title == "The GPU is underutilized");
  CHECK_THAT(finding.why, ContainsSubstring("with no data, disk or CPU stall to explain it."));
  // 90% / 1% is 90 times as much; powers of two up to 64: 8 * 64.
  CHECK_THAT(
      finding.next,
      ContainsSubstring("Raise the batch size gradually, up to 512 (now 8), adjusting the learning "
                        "rate as you go: GPU memory peaks at 1.0%."));
}

TEST_CASE("memory that is nearly full, or only read and written, promises no larger batch") {
  job::Job full = at_use(30);
  add(full, test::gpu_memory(0), flat(kSamples, 93));
  full.description.hyperparameters["batch_size"] = "8";
  CHECK_THAT(found(full, "underutilized").next, !ContainsSubstring("peaks at"));
  job::Job moved = at_use(30);
  add(moved, test::gpu_memory(0), cycle(kSamples, {0, 40, 10}));
  moved.description.hyperparameters["batch_size"] = "8";
  CHECK_THAT(found(moved, "underutilized").next, !ContainsSubstring("peaks at"));
  job::Job half = at_use(30);
  add(half, test::gpu_memory(0), flat(kSamples, 46)); // not twice
  half.description.hyperparameters["batch_size"] = "8";
  CHECK_THAT(found(half, "underutilized").next,
             ContainsSubstring("raise the batch size (now 8): GPU memory peaks at 46%."));
}

TEST_CASE("an absurd batch size is not multiplied") {
  job::Job job = at_use(30);
  add(job, test::gpu_memory(0), flat(kSamples, 1));
  job.description.hyperparameters["batch_size"] = "9223372036854775807";
  const Finding finding = found(job, "underutilized");
  CHECK_THAT(finding.next, ContainsSubstring("raise the batch size: GPU memory peaks at 1.0%."));
  CHECK(std::isnan(evidence(finding, "batch size")));
}

TEST_CASE("kernels shorter than their launch call for fewer launches") {
  result::Result result = analyzed(at_use(30));
  result.traces.files.emplace_back();
  result::LaunchStats launches;
  launches.launches = 1000;
  launches.short_kernels = 600;
  result.traces.launches.push_back(launches);
  result::GpuActivity gpu;
  gpu.idle_us = 1000;
  gpu.host_wait_us = 800;
  result.traces.gpus.push_back(gpu);
  const Finding finding = found(diagnosed(std::move(result)), "underutilized");
  CHECK_THAT(
      finding.why,
      ContainsSubstring(
          "It had no work queued for the other 70% of the loop. 600 of 1,000 profiled kernels "
          "run for less time than they take to launch."));
  CHECK_THAT(finding.next,
             ContainsSubstring("Launch fewer kernels: use torch.compile, CUDA graphs"));
  CHECK(evidence(finding, "profiled kernels") == 1000);
}

TEST_CASE("a job without GPUs is not underutilized") {
  job::Job job;
  add_cores(job, 4, flat(kSamples, 1));
  CHECK_FALSE(finds(job, "underutilized"));
}

TEST_CASE("a GPU that only starts late is not underutilized") {
  job::Job job;
  add(job, gpu(0), flat(301, 0) + flat(100, 95));
  CHECK_FALSE(finds(job, "underutilized"));
}

} // namespace test_underutilized
