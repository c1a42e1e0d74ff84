#include "finding_support.h"
#include "result/verdict.h"

namespace test_idle {

using namespace debrief;
using namespace debrief::test;

namespace {

/// A job of 200 s whose GPU works at `use` percent, but for the `lost` seconds of each second that
/// it waits for data.
job::Job low_and_starved(double use, double lost) {
  job::Job job;
  add(job, gpu(0), cycle(kSamples, {use * (1 - 2 * lost), use}));
  job.events = events(paced_events(lost, "DataLoaderIter"));
  return job;
}

} // namespace

TEST_CASE("a job that loses more than a quarter is not healthy, though no cause is large") {
  const result::Result result = analyzed(low_and_starved(80, 0.08));
  const Finding finding = found(result, "idle");
  CHECK(test::verdict_name(result) == "idle");
  CHECK(finding.severity == Severity::warning);
  CHECK_THAT(finding.score, WithinAbs(0.184, 0.01)); // of the 26.4% that are lost, 8% are data's
  CHECK(finding.title == "The GPU is idle much of the time");
  CHECK_THAT(finding.why, ContainsSubstring("Besides the 8.0% in the notes below"));
}

TEST_CASE("a job that loses less is healthy") {
  CHECK(test::verdict_name(analyzed(low_and_starved(84, 0.05))) == "healthy"); // 20.2%
}

TEST_CASE("where one cause calls for action, that is the verdict") {
  CHECK_FALSE(finds(low_and_starved(40, 0.08), "idle"));
  CHECK(test::verdict_name(analyzed(low_and_starved(40, 0.08))) == "underutilized");
}

} // namespace test_idle
