#include "finding_support.h"

namespace test_io_bound {

using namespace debrief;
using namespace debrief::test;

namespace {

/// Samples at which the GPU does nothing while each of four cores waits `share` percent of the
/// time, and works 5 percent of it.
job::Job storage(std::size_t lost_samples, double share = 25, double working = 5) {
  job::Job job;
  add(job, gpu(0), dip(lost_samples));
  add_cores(job, 4, flat(kSamples, working));
  add_io_wait(job, 4, dip(lost_samples, share, 0));
  return job;
}

} // namespace

TEST_CASE("14 lost samples with a core in I/O wait are io_bound, 11 are not") {
  const Finding finding = found(storage(14), "io_bound");
  CHECK_THAT(finding.score, WithinAbs(0.035, kClose)); // 7 s of 200 s
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::medium);
  CHECK(finding.windows == std::vector<TimeSpan>{{at(50), at(57)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].node == "algo-1");
  CHECK(finding.why == "The GPU was busy 96% of the training loop. 3.5% of the job's GPU time was "
                       "lost while CPU cores waited for storage (1.0 cores at a time).");
  CHECK_THAT(evidence(finding, "cores in I/O wait"), WithinAbs(1, kClose));
  CHECK_FALSE(finds(storage(11), "io_bound"));
}

TEST_CASE("io_bound is a warning from a tenth on and critical from a fifth on") {
  CHECK(found(storage(39), "io_bound").severity == Severity::info);
  CHECK(found(storage(41), "io_bound").severity == Severity::warning);
  CHECK(found(storage(81), "io_bound").severity == Severity::critical);
}

TEST_CASE("I/O wait counts in cores, and against the cores that work") {
  CHECK(finds(storage(14, 21), "io_bound"));           // 0.84 cores
  CHECK_FALSE(finds(storage(14, 19), "io_bound"));     // 0.76 cores
  CHECK(finds(storage(14, 25, 30), "io_bound"));       // 1.0 of 1.2 at work
  CHECK_FALSE(finds(storage(14, 25, 33), "io_bound")); // 1.0 of 1.32 at work
}

TEST_CASE("storage outranks saturated cores") {
  job::Job job;
  add(job, gpu(0), dip(14));
  add_cores(job, 4, dip(14, 95, 5));
  add_io_wait(job, 4, dip(14, 90, 0));
  CHECK(finds(job, "io_bound"));
  CHECK_FALSE(finds(job, "cpu_bound"));
}

TEST_CASE("without samples of I/O wait there is no io_bound") {
  job::Job job;
  add(job, gpu(0), dip(100));
  add_cores(job, 4, flat(kSamples, 5));
  CHECK_FALSE(finds(job, "io_bound"));
}

TEST_CASE("io_bound names the workers that there are") {
  job::Job job = storage(41);
  job::EventDetails details;
  details.num_workers = 1;
  job.events = events({{.phase = "DataLoaderIterInitialize", .details = details},
                       {.phase = "DataLoaderIter", .start = 10, .duration = 0.01}});
  CHECK_THAT(found(job, "io_bound").next,
             ContainsSubstring("Raise num_workers above 1 to hide the wait"));
}

TEST_CASE("without GPUs no GPU waits, and shares are of the job's time") {
  job::Job job;
  add_cores(job, 4, dip(60, 5, 50));
  add_io_wait(job, 4, dip(60, 25, 0));
  const Finding finding = found(job, "io_bound");
  CHECK_THAT(finding.score, WithinAbs(0.15, kClose)); // 30 s of 200 s
  CHECK(finding.title == "The CPU waits for storage");
  CHECK_THAT(
      finding.why,
      ContainsSubstring("CPU cores were busy 42% of the time. 15% of the job's time was lost"));
  CHECK(finding.why.find("GPU") == std::string::npos);
}

} // namespace test_io_bound
