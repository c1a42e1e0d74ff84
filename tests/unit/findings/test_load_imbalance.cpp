#include "finding_support.h"

namespace test_load_imbalance {

using namespace debrief;
using namespace debrief::test;

namespace {

job::Job pair(double first, double second) {
  job::Job job;
  add(job, gpu(0), flat(kSamples, first));
  add(job, gpu(1), flat(kSamples, second));
  return job;
}

} // namespace

TEST_CASE("GPUs that differ by eleven points are imbalanced, by nine they are not") {
  const Finding finding = found(pair(95, 84), "load_imbalance");
  // Of two GPUs one works 0.11 less than the other.
  CHECK_THAT(finding.score, WithinAbs(0.055, kClose));
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::medium);
  CHECK_THAT(finding.why, ContainsSubstring("algo-1 gpu0 was busy 95%, algo-1 gpu1 only 84%; "
                                            "the other GPUs' shortfall adds up to 5.5%"));
  CHECK_THAT(finding.next, ContainsSubstring("Look at algo-1 gpu1 first"));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu1");
  CHECK_THAT(finding.where[0].share, WithinAbs(0.11, kClose));
  CHECK_FALSE(finds(pair(95, 86), "load_imbalance"));
}

TEST_CASE("load_imbalance grows with the difference") {
  CHECK(found(pair(95, 74), "load_imbalance").severity == Severity::warning);
  CHECK(found(pair(95, 54), "load_imbalance").severity == Severity::critical);
}

TEST_CASE("GPUs of two nodes are compared as those of one") {
  job::Job job;
  add(job, "algo-1", gpu(0), flat(kSamples, 95));
  add(job, "algo-2", gpu(0), flat(kSamples, 75));
  const Finding finding = found(job, "load_imbalance");
  CHECK(finding.where[0].node == "algo-2");
  CHECK(evidence(finding, "GPUs compared") == 2);
}

TEST_CASE("one GPU has nothing to be compared with, and one that is not used is no measure") {
  job::Job one;
  add(one, gpu(0), flat(kSamples, 60));
  CHECK_FALSE(finds(one, "load_imbalance"));
  CHECK_FALSE(finds(pair(95, 0), "load_imbalance"));
}

TEST_CASE("GPUs of traces whose node is not known are named by the device alone") {
  result::Result result = bare_result(0, 10);
  for (const std::int64_t device : {0, 1}) {
    result::GpuActivity gpu;
    gpu.process = "rank" + std::to_string(device);
    gpu.device = device;
    gpu.profiled_us = 10e6;
    gpu.busy_us = device == 0 ? 9e6 : 5e6;
    gpu.idle_us = gpu.profiled_us - gpu.busy_us;
    result.traces.gpus.push_back(gpu);
  }
  result.traces.files.emplace_back();
  for (const std::int64_t number : {1, 2}) {
    result.traces.steps.emplace_back();
    result.traces.steps.back().number = number;
  }
  const Finding finding = found(diagnosed(std::move(result)), "load_imbalance");
  CHECK_THAT(finding.score, WithinAbs(0.2, kClose)); // 4 s of 2 x 10 s
  CHECK(finding.severity == Severity::warning);      // two steps are not the job
  CHECK_THAT(finding.why, ContainsSubstring("In the training loop gpu0 was busy 90%, gpu1 only"));
}

} // namespace test_load_imbalance
