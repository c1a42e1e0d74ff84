#include "finding_support.h"

namespace test_memory_growth {

using namespace debrief;
using namespace debrief::test;

namespace {

/// From `from` on, `points` more over 200 s.
std::vector<double> rising(double from, double points) {
  std::vector<double> values;
  for (std::size_t i = 0; i < kSamples; ++i)
    values.push_back(from + points * static_cast<double>(i) / 400);
  return values;
}

job::Job with_host_memory(const std::vector<double>& values) {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  add(job, kHostMemory, values);
  return job;
}

} // namespace

// Growth is from the first tenth of the loop to the last, which is 0.9 of a straight rise.
TEST_CASE("host memory that rises by 5.6 points keeps growing, by 5.4 it does not") {
  const Finding finding = found(with_host_memory(rising(50, 5.6)), "memory_growth"); // 5.04
  CHECK(finding.score == 0); // it has cost nothing yet
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.confidence == Confidence::medium);
  CHECK(finding.title == "Host memory keeps growing");
  CHECK_THAT(
      finding.why,
      ContainsSubstring("The memory of algo-1 climbs by 5.0 points during training, to 55.3%."));
  CHECK_THAT(evidence(finding, "growth over the loop (points of %)"), WithinAbs(5.04, 0.02));
  // 5.6 points in 200 s: the 44.7 that are left last 1,596 s.
  CHECK_THAT(evidence(finding, "time until full"), WithinAbs(1596, 15));
  CHECK_THAT(finding.why, ContainsSubstring("At this rate it runs out of memory in 26 min"));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].node == "algo-1");
  CHECK(finding.where[0].device.empty());
  CHECK_FALSE(finds(with_host_memory(rising(50, 5.4)), "memory_growth")); // 4.86
}

TEST_CASE("memory that would not last for the same time again is critical") {
  CHECK(found(with_host_memory(rising(40, 40)), "memory_growth").severity == Severity::critical);
  CHECK(found(with_host_memory(rising(20, 20)), "memory_growth").severity == Severity::warning);
}

TEST_CASE("memory that fills early and then stays is a cache") {
  std::vector<double> filling = rising(20, 40);
  for (std::size_t i = 200; i < kSamples; ++i)
    filling[i] = 40;
  CHECK_FALSE(finds(with_host_memory(filling), "memory_growth"));
}

TEST_CASE("memory that goes up and down does not grow") {
  std::vector<double> values;
  for (std::size_t i = 0; i < kSamples; ++i)
    values.push_back(30 + 20 * std::sin(static_cast<double>(i) / 40));
  CHECK_FALSE(finds(with_host_memory(values), "memory_growth"));
}

TEST_CASE("a GPU's memory grows where it is occupied memory at all") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  add(job, test::gpu_memory(0), rising(20, 10));
  const Finding finding = found(job, "memory_growth");
  CHECK(finding.title == "GPU memory keeps growing");
  CHECK_THAT(finding.why, ContainsSubstring("The memory of algo-1 gpu0 climbs"));
  CHECK(finding.where[0].device == "gpu0");

  job::Job moving; // how often memory is read and written, as SageMaker records it
  add(moving, gpu(0), flat(kSamples, 95));
  std::vector<double> values = rising(20, 10);
  for (std::size_t i = 0; i < values.size(); i += 2)
    values[i] += 15;
  add(moving, test::gpu_memory(0), values);
  CHECK_FALSE(finds(moving, "memory_growth"));
}

TEST_CASE("a second growing memory is named, more are counted") {
  job::Job job = with_host_memory(rising(20, 20));
  add(job, test::gpu_memory(0), rising(20, 10));
  CHECK_THAT(found(job, "memory_growth").why,
             ContainsSubstring("and so does the memory of algo-1 gpu0."));
  add(job, gpu(1), flat(kSamples, 95));
  add(job, test::gpu_memory(1), rising(20, 10));
  const Finding finding = found(job, "memory_growth");
  CHECK_THAT(finding.why, ContainsSubstring("and so do 2 others."));
  CHECK(finding.where.size() == 3);
}

TEST_CASE("too few samples, or none, tell no growth") {
  job::Job few;
  add(few, gpu(0), flat(29, 95));
  std::vector<double> values = rising(10, 400);
  values.resize(29);
  add(few, kHostMemory, values);
  CHECK_FALSE(finds(few, "memory_growth"));
  job::Job none;
  add(none, gpu(0), flat(kSamples, 95));
  CHECK_FALSE(finds(none, "memory_growth"));
}

} // namespace test_memory_growth
