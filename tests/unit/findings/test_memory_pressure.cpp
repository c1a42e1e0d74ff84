#include "finding_support.h"

namespace test_memory_pressure {

using namespace debrief;
using namespace debrief::test;

namespace {

job::Job with_memory(const job::MetricName& name, const std::vector<double>& values) {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  add(job, name, values);
  return job;
}

} // namespace

TEST_CASE("GPU memory at 90 % is under pressure, at 89.9 % it is not") {
  job::Job job = with_memory(test::gpu_memory(0), flat(kSamples, 90));
  job.description.hyperparameters["batch_size"] = "64";
  const Finding finding = found(job, "memory_pressure");
  CHECK(finding.score == 0);
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.title == "GPU memory is nearly full");
  CHECK(finding.why == "The memory of algo-1 gpu0 is at 90.0% (p99 over the training loop).");
  CHECK_THAT(finding.next, ContainsSubstring("a smaller batch (now 64)"));
  CHECK(evidence(finding, "highest memory") == 90);
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu0");
  CHECK_FALSE(finds(with_memory(test::gpu_memory(0), flat(kSamples, 89.9)), "memory_pressure"));
}

TEST_CASE("memory at 97 % is critical") {
  CHECK(found(with_memory(kHostMemory, flat(kSamples, 96.9)), "memory_pressure").severity ==
        Severity::warning);
  CHECK(found(with_memory(kHostMemory, flat(kSamples, 97.1)), "memory_pressure").severity ==
        Severity::critical);
}

TEST_CASE("a host that is nearly full names the workers, if they are known") {
  job::Job job = with_memory(kHostMemory, flat(kSamples, 95));
  CHECK_THAT(found(job, "memory_pressure").next, ContainsSubstring("processes keep copies"));
  job::EventDetails details;
  details.num_workers = 6;
  job.events = events({{.phase = "DataLoaderIterInitialize", .details = details},
                       {.phase = "DataLoaderIter", .start = 10, .duration = 0.01}});
  const Finding finding = found(job, "memory_pressure");
  CHECK(finding.title == "Host memory is nearly full");
  CHECK(finding.why == "The memory of algo-1 is at 95.0% (p99 over the training loop).");
  CHECK_THAT(finding.next, ContainsSubstring("6 workers keep copies"));
}

TEST_CASE("a single sample at the top is no pressure") {
  std::vector<double> values = flat(kSamples, 50);
  values[200] = 99;
  CHECK_FALSE(finds(with_memory(kHostMemory, values), "memory_pressure"));
}

TEST_CASE("reading and writing of GPU memory is no pressure") {
  CHECK_FALSE(
      finds(with_memory(test::gpu_memory(0), cycle(kSamples, {99, 60, 90})), "memory_pressure"));
}

TEST_CASE("others that are as full are counted, in the singular and the plural") {
  job::Job job = with_memory(kHostMemory, flat(kSamples, 95));
  add(job, test::gpu_memory(0), flat(kSamples, 92));
  CHECK_THAT(found(job, "memory_pressure").why,
             ContainsSubstring(" Another one is at 90% or more as well."));
  add(job, gpu(1), flat(kSamples, 95));
  add(job, test::gpu_memory(1), flat(kSamples, 92));
  const Finding finding = found(job, "memory_pressure");
  CHECK_THAT(finding.why, ContainsSubstring(" 2 others are at 90% or more as well."));
  CHECK(finding.where.size() == 3);
}

TEST_CASE("memory that was not recorded is not full") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  CHECK_FALSE(finds(job, "memory_pressure"));
}

} // namespace test_memory_pressure
