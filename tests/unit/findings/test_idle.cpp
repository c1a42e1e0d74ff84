#include "finding_support.h"
#include "result/verdict.h"

namespace test_idle {

using namespace debrief;
using namespace debrief::test;

namespace {

/// A job of 200 s: its GPU works from `start` on, at `use` percent, and steps tell so.
job::Job slow_and_low(double start, double use) {
  const auto before = static_cast<std::size_t>(2 * start) + 1;
  job::Job job;
  add(job, gpu(0), flat(before, 0) + flat(401 - before, use));
  std::vector<Event> list;
  add_steps(list, start, 200, 0.5);
  job.events = events(list);
  return job;
}

} // namespace

TEST_CASE("a job that loses more than a quarter is not healthy, though no cause is large") {
  const result::Result result = analyzed(slow_and_low(32, 80)); // 16% and 0.84 * 20%
  const Finding finding = found(result, "idle");
  CHECK(test::verdict_name(result) == "idle");
  CHECK(finding.severity == Severity::warning);
  CHECK_THAT(finding.score, WithinAbs(0.16 + 0.84 * 0.2, 0.01));
  CHECK(finding.title == "The GPU is idle much of the time");
  CHECK_THAT(finding.why, ContainsSubstring("33% of the job's GPU time is lost: "));
  CHECK_THAT(finding.why, ContainsSubstring("startup 16%"));
  CHECK_THAT(finding.why, ContainsSubstring("17%"));
}

TEST_CASE("a job that loses less is healthy") {
  CHECK(test::verdict_name(analyzed(slow_and_low(16, 84))) == "healthy"); // 8% and 15%
}

TEST_CASE("where one cause calls for action, that is the verdict") {
  CHECK_FALSE(finds(slow_and_low(32, 40), "idle"));
  CHECK(test::verdict_name(analyzed(slow_and_low(32, 40))) == "underutilized");
}

TEST_CASE("a short start that takes a fifth of the job is worth knowing") {
  const Finding finding = found(slow_and_low(44, 95), "slow_start");
  CHECK(finding.severity == Severity::info);
  CHECK_THAT(finding.score, WithinAbs(0.22, 0.005));
  CHECK_FALSE(finds(slow_and_low(38, 95), "slow_start"));
}

} // namespace test_idle
