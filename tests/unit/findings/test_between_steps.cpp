#include "finding_support.h"

namespace test_between_steps {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("3.2 % of the loop outside of steps are a finding, 2.8 % are not") {
  const Finding finding = found(paced(0.032, ""), "between_steps");
  CHECK_THAT(finding.score, WithinAbs(0.032, kClose));
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.why ==
        "3.2% of the job's GPU time is spent between steps, with no data loading in it. A step "
        "takes 968 ms (median of 201 steps).");
  CHECK_THAT(finding.next, ContainsSubstring("the 6.4 s between steps")); // 200 x 32 ms
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK_THAT(finding.where[0].share, WithinAbs(0.032, kClose));
  CHECK_FALSE(finds(paced(0.028, ""), "between_steps"));
}

TEST_CASE("between_steps is a warning from a tenth on and critical from a fifth on") {
  CHECK(found(paced(0.102, ""), "between_steps").severity == Severity::warning);
  CHECK(found(paced(0.202, ""), "between_steps").severity == Severity::critical);
}

TEST_CASE("time between steps that loads data is input_bound alone") {
  CHECK_FALSE(finds(paced(0.22, "DataLoaderIter"), "between_steps"));
}

TEST_CASE("time between steps in which the GPU works on costs nothing") {
  job::Job job = paced(0.22, "");
  job.metrics.clear();
  add(job, gpu(0), flat(kSamples, 100));
  CHECK_FALSE(finds(job, "between_steps"));
}

TEST_CASE("without events short pauses are between steps where no core works") {
  job::Job job;
  add(job, gpu(0), cycle(kSamples, {100, 100, 100, 0}));
  add_cores(job, 4, flat(kSamples, 10));
  const Finding finding = found(job, "between_steps");
  CHECK_THAT(finding.score, WithinAbs(0.25, kClose));
  CHECK(finding.confidence == Confidence::low);
  CHECK_THAT(finding.why,
             ContainsSubstring("is spent in pauses of all GPUs within the training loop"));
  CHECK_THAT(finding.why, ContainsSubstring("Meanwhile 0.4 of 4 CPU cores were busy."));
  CHECK_THAT(finding.next, ContainsSubstring("Record steps"));
}

TEST_CASE("steps of which only a few were profiled say nothing about the time between them") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 50));
  job.events = events({{.phase = "Step:ModeKeys.PROFILED",
                        .start = 10,
                        .duration = 1,
                        .kind = job::TimelineKind::pytorch_profiler},
                       {.phase = "Step:ModeKeys.PROFILED",
                        .start = 150,
                        .duration = 1,
                        .kind = job::TimelineKind::pytorch_profiler}});
  CHECK_FALSE(finds(job, "between_steps"));
}

TEST_CASE("steps of unknown clock are between nothing") {
  std::vector<Event> list = paced_events(0.22, "");
  for (Event& event : list)
    event.clock_known = false;
  job::Job job = paced(0.22, "");
  job.events = events(list);
  const result::Result result = analyzed(job);
  // The samples do not pause either: they go down to 56%.
  CHECK(find(result, "between_steps") == nullptr);
}

} // namespace test_between_steps
