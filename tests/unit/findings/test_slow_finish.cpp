#include "finding_support.h"

namespace test_slow_finish {

using namespace debrief;
using namespace debrief::test;

namespace {

/// A job of `whole` seconds whose GPU works until `end` seconds before its end.
job::Job lingering(double end, double whole, bool with_steps) {
  const auto idle = static_cast<std::size_t>(2 * end);
  job::Job job;
  add(job, gpu(0), flat(static_cast<std::size_t>(2 * whole) + 1 - idle, 100) + flat(idle, 0));
  if (with_steps) {
    std::vector<Event> list;
    add_steps(list, 0, whole - end, 0.5);
    job.events = events(list);
  }
  return job;
}

} // namespace

TEST_CASE("140 s after the last step are a slow finish, 59 s are not") {
  const Finding finding = found(lingering(140, 1200, true), "slow_finish");
  CHECK_THAT(finding.score, WithinAbs(140.0 / 1200, kClose));
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.why == "2 min 20 s passed after the last step, 12% of the job's GPU time.");
  CHECK_THAT(finding.next, ContainsSubstring("Release the GPUs first: the last 2 min 20 s"));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(1060), at(1200)}});
  CHECK_THAT(evidence(finding, "time after the last step"), WithinAbs(140, kClose));
  REQUIRE(finding.where.size() == 1);
  CHECK_THAT(finding.where[0].share, WithinAbs(140.0 / 1200, kClose));
  CHECK_FALSE(finds(lingering(59, 1200, true), "slow_finish"));
}

TEST_CASE("a long end of a longer job is not worth naming") {
  CHECK(finds(lingering(62, 2000, true), "slow_finish"));       // 3.1%
  CHECK_FALSE(finds(lingering(62, 2100, true), "slow_finish")); // 2.95%
}

TEST_CASE("without steps the loop ends with the GPU's work") {
  const Finding finding = found(lingering(140, 1200, false), "slow_finish");
  CHECK_THAT(finding.score, WithinAbs(140.0 / 1200, kClose));
  CHECK(finding.confidence == Confidence::medium);
  CHECK_THAT(finding.why, ContainsSubstring("passed after the GPU last worked"));
}

TEST_CASE("without GPUs the end is known by steps, and costs time") {
  job::Job job = lingering(400, 1200, true);
  job.metrics.clear();
  add_cores(job, 2, flat(2401, 20));
  const Finding finding = found(job, "slow_finish");
  CHECK_THAT(finding.score, WithinAbs(1.0 / 3, kClose));
  CHECK(finding.severity == Severity::critical);
  CHECK_THAT(finding.why, ContainsSubstring("33% of the job's time."));
}

TEST_CASE("a job of which only steps are known ends with the last of them") {
  job::Job job = lingering(400, 1200, true);
  job.metrics.clear();
  CHECK_FALSE(finds(job, "slow_finish"));
}

} // namespace test_slow_finish
