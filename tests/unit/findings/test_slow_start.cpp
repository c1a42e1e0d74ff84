#include "finding_support.h"
#include "result/verdict.h"

#include <numeric>

namespace test_slow_start {

using namespace debrief;
using namespace debrief::test;

namespace {

/// A job of `whole` seconds whose GPU works from `start` on, with steps or without.
job::Job late(double start, double whole, bool with_steps) {
  const auto idle = static_cast<std::size_t>(2 * start) + 1;
  job::Job job;
  add(job, gpu(0), flat(idle, 0) + flat(static_cast<std::size_t>(2 * whole) + 1 - idle, 100));
  if (with_steps) {
    std::vector<Event> list;
    add_steps(list, start, whole, 0.5);
    job.events = events(list);
  }
  return job;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

} // namespace

TEST_CASE("140 s before the first step are a slow start, 59 s are what any job takes") {
  const Finding finding = found(late(140, 1200, true), "slow_start");
  CHECK_THAT(finding.score, WithinAbs(140.0 / 1200, kClose));
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.why == "2 min 20 s passed before training had begun, 12% of the job's GPU time.");
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(140)}});
  CHECK_THAT(evidence(finding, "time until the first step"), WithinAbs(140, kClose));
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu0");
  CHECK_FALSE(finds(late(59, 1200, true), "slow_start"));
}

TEST_CASE("a long start that is a small share of a longer job is not worth naming") {
  CHECK(finds(late(62, 2000, true), "slow_start"));       // 3.1%
  CHECK_FALSE(finds(late(62, 2100, true), "slow_start")); // 2.95%
}

TEST_CASE("without steps the loop begins with the GPU's work, as far as one can tell") {
  const Finding finding = found(late(140, 1200, false), "slow_start");
  CHECK_THAT(finding.score, WithinAbs(140.0 / 1200, kClose));
  CHECK(finding.confidence == Confidence::medium);
  CHECK_THAT(finding.why, ContainsSubstring("passed before the GPU first worked"));
}

TEST_CASE("what the host does meanwhile decides what to do") {
  job::Job idle = late(260, 1200, true);
  for (int core = 0; core < 4; ++core)
    add(idle, cpu(core), flat(2401, 25));
  const Finding finding = found(idle, "slow_start");
  CHECK(finding.severity == Severity::critical); // 260 s of 1,200 s
  CHECK_THAT(finding.why, ContainsSubstring("Only 1.0 of 4 CPU cores were busy then, so there is "
                                            "room to do it in parallel."));
  job::Job busy = late(260, 1200, true);
  for (int core = 0; core < 4; ++core)
    add(busy, cpu(core), flat(2401, 75));
  CHECK_THAT(
      found(busy, "slow_start").why,
      ContainsSubstring("3.0 of 4 CPU cores were busy then, so the CPU is what takes the time."));
}

TEST_CASE("a first step that warms up for minutes belongs to the start") {
  std::vector<Event> list;
  add_steps(list, 0, 100, 100);
  add_steps(list, 100, 600, 0.5);
  job::Job job;
  add(job, gpu(0), flat(201, 0) + flat(1000, 100));
  job.events = events(list);
  // 99.5 s beyond a usual step; the half second itself is nobody's.
  CHECK_THAT(found(job, "slow_start").score, WithinAbs(99.5 / 600, kClose));
  CHECK_FALSE(finds(job, "step_stalls"));
}

TEST_CASE("idle GPUs before the loop are no low utilization within it") {
  const result::Result result = analyzed(late(800, 1200, false));
  CHECK(test::verdict_name(result) == "slow_start");
  CHECK(find(result, "underutilized") == nullptr);
}

TEST_CASE(
    "what comes before a loop of less than ten minutes is set aside, unless it takes as long") {
  const result::Result brief = analyzed(late(140, 700, true));
  CHECK(test::verdict_name(brief) == "healthy");
  CHECK_THAT(brief.waste.set_aside, WithinAbs(140.0 / 3600, kClose));
  CHECK_THAT(brief.waste.lost_percent, WithinAbs(0, kClose));
  CHECK_THAT(total(brief.waste.over_time.set_aside), WithinAbs(140, kClose));
  CHECK(brief.waste.over_time.lost.empty());
  CHECK(analyzed(late(140, 740, true)).waste.set_aside == 0);
  CHECK(finds(late(600, 700, true), "slow_start"));
  CHECK_FALSE(finds(late(599, 700, true), "slow_start"));
}

TEST_CASE("a job that has neither samples nor steps has no start") {
  job::Job job;
  job.description.start = at(0);
  job.description.end = at(600);
  CHECK_FALSE(finds(job, "slow_start"));
}

} // namespace test_slow_start
