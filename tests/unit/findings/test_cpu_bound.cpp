#include "finding_support.h"

namespace test_cpu_bound {

using namespace debrief;
using namespace debrief::test;

namespace {

/// Samples at which the GPU does nothing while four cores are at `share` percent.
job::Job saturated(std::size_t lost_samples, double share = 95) {
  job::Job job;
  add(job, gpu(0), dip(lost_samples));
  add_cores(job, 4, dip(lost_samples, share, 30));
  return job;
}

} // namespace

TEST_CASE("14 lost samples with saturated cores are cpu_bound, 11 are not") {
  const Finding finding = found(saturated(14), "cpu_bound");
  CHECK_THAT(finding.score, WithinAbs(0.035, kClose)); // 7 s of 200 s
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::medium);
  CHECK(finding.windows == std::vector<TimeSpan>{{at(50), at(57)}});
  CHECK(finding.window_seconds == 7);
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu0");
  CHECK_FALSE(finds(saturated(11), "cpu_bound"));
}

TEST_CASE("cpu_bound is a warning from a tenth on and critical from a fifth on") {
  CHECK(found(saturated(39), "cpu_bound").severity == Severity::info);
  CHECK(found(saturated(41), "cpu_bound").severity == Severity::warning);
  CHECK(found(saturated(79), "cpu_bound").severity == Severity::warning);
  CHECK(found(saturated(81), "cpu_bound").severity == Severity::critical);
}

TEST_CASE("cpu_bound tells the job's own cores") {
  const Finding finding = found(saturated(14), "cpu_bound");
  CHECK(finding.why == "The GPU was busy 96% of the training loop. 3.5% of the job's GPU time was "
                       "lost while CPU cores were at 90% or more. 3.8 of 4 cores were busy then.");
  CHECK_THAT(finding.next, ContainsSubstring("more cores per GPU (here 4 for 1 GPU)."));
  CHECK_THAT(evidence(finding, "time lost with saturated cores"), WithinAbs(3.5, 1e-3));
  CHECK_THAT(evidence(finding, "GPU busy in the training loop"), WithinAbs(96.5, 1e-3));
  CHECK(evidence(finding, "cores") == 4);
}

TEST_CASE("cores at 89 % are not saturated") {
  CHECK(finds(saturated(14, 90), "cpu_bound"));
  CHECK_FALSE(finds(saturated(14, 89), "cpu_bound"));
}

TEST_CASE("saturated cores are no cause while the GPU works") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 71));
  add_cores(job, 4, flat(kSamples, 95));
  CHECK_FALSE(finds(job, "cpu_bound"));
  job::Job waiting;
  add(waiting, gpu(0), flat(kSamples, 69));
  add_cores(waiting, 4, flat(kSamples, 95));
  CHECK_THAT(found(waiting, "cpu_bound").score, WithinAbs(0.31, kClose));
}

TEST_CASE("without samples of cores there is no cpu_bound") {
  job::Job job;
  add(job, gpu(0), dip(100));
  CHECK_FALSE(finds(job, "cpu_bound"));
}

TEST_CASE("cores that were sampled at other times tell nothing") {
  job::Job job;
  add(job, gpu(0), dip(100));
  for (int core = 0; core < 4; ++core)
    add(job, cpu(core), flat(100, 95), 300);
  CHECK_FALSE(finds(job, "cpu_bound"));
}

TEST_CASE("more workers than cores are named as what saturates them") {
  const auto next_with = [](std::int64_t workers, int cores) {
    job::Job job;
    add(job, gpu(0), dip(41));
    add_cores(job, cores, dip(41, 95, 30));
    job::EventDetails details;
    details.num_workers = workers;
    std::vector<Event> list = {{.phase = "DataLoaderIterInitialize", .details = details},
                               {.phase = "DataLoaderIter", .start = 10, .duration = 0.01}};
    job.events = events(list);
    return found(job, "cpu_bound").next;
  };
  CHECK_THAT(next_with(8, 4), ContainsSubstring("Set num_workers=4 (now 8): they compete for 4 "
                                                "cores."));
  CHECK_THAT(next_with(2, 1), ContainsSubstring("Set num_workers=1 (now 2): they compete for 1 "
                                                "core."));
  CHECK_THAT(next_with(3, 4), ContainsSubstring("More workers than 3 will not help."));
}

} // namespace test_cpu_bound
