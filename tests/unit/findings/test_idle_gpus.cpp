#include "finding_support.h"
#include "result/verdict.h"

namespace test_idle_gpus {

using namespace debrief;
using namespace debrief::test;

namespace {

/// The first `idle` of them never used.
job::Job with_idle(int gpus, int idle) {
  job::Job job;
  for (int device = 0; device < gpus; ++device)
    add(job, gpu(device), flat(kSamples, device < idle ? 0 : 95));
  return job;
}

} // namespace

TEST_CASE("one of 32 GPUs that was not used is a finding, one of 40 is not") {
  const Finding finding = found(with_idle(32, 1), "idle_gpus");
  CHECK_THAT(finding.score, WithinAbs(1.0 / 32, kClose));
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.title == "1 of 32 GPUs was never used");
  CHECK(finding.why == "algo-1 gpu0 computed at fewer than 1% of 401 samples.");
  CHECK_THAT(finding.next, ContainsSubstring("an instance with 31 GPUs instead of 32."));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu0");
  CHECK(finding.where[0].share == 1);
  CHECK_FALSE(finds(with_idle(40, 1), "idle_gpus"));
}

TEST_CASE("idle GPUs are a warning from a tenth of all on and critical from a fifth on") {
  CHECK(found(with_idle(8, 1), "idle_gpus").severity == Severity::warning);
  CHECK(found(with_idle(4, 1), "idle_gpus").severity == Severity::critical);
}

TEST_CASE("a GPU is used where it computed at one sample in a hundred") {
  const auto used_at = [](std::size_t samples) {
    job::Job job;
    add(job, gpu(0), flat(kSamples, 95));
    add(job, gpu(1), flat(samples, 1) + flat(kSamples - samples, 0));
    return job;
  };
  CHECK(finds(used_at(4), "idle_gpus")); // 4 of 401
  CHECK_FALSE(finds(used_at(5), "idle_gpus"));
}

TEST_CASE("a job that never touches its only GPU loses all of it") {
  job::Job job = with_idle(1, 1);
  add_cores(job, 4, flat(kSamples, 95));
  const result::Result result = analyzed(job);
  const Finding finding = found(result, "idle_gpus");
  CHECK(finding.score == 1);
  CHECK(finding.title == "The GPU was never used");
  CHECK_THAT(finding.next, ContainsSubstring("run without the GPU on an instance that has none."));
  CHECK(test::verdict_name(result) == "idle_gpus");
  CHECK(found(with_idle(2, 2), "idle_gpus").title == "No GPU was ever used");
}

TEST_CASE("many idle GPUs are named up to the eighth") {
  const Finding finding = found(with_idle(12, 10), "idle_gpus");
  CHECK_THAT(finding.why, ContainsSubstring("algo-1 gpu7 and 2 more computed"));
  CHECK(finding.where.size() == 10);
  CHECK(evidence(finding, "GPUs that were not used") == 10);
  CHECK(evidence(finding, "GPUs") == 12);
}

TEST_CASE("names of nodes are shown as they are, control characters as escapes") {
  job::Job job;
  add(job, "a\x1b[31m\nb", gpu(0), flat(kSamples, 0));
  CHECK(found(job, "idle_gpus").why ==
        "a\\u{001b}[31m\\nb gpu0 computed at fewer than 1% of 401 samples.");
}

TEST_CASE("without samples of GPUs none is idle") {
  job::Job job;
  add_cores(job, 4, flat(kSamples, 50));
  CHECK_FALSE(finds(job, "idle_gpus"));
}

} // namespace test_idle_gpus
