#include "finding_support.h"

namespace test_input_bound {

using namespace debrief;
using namespace debrief::test;

namespace {

/// Waits of `lost` seconds in each second, two workers, and 16 cores of which four work.
job::Job waiting(double lost) {
  job::Job job = paced(lost, "DataLoaderIter");
  std::vector<Event> list = paced_events(lost, "DataLoaderIter");
  job::EventDetails details;
  details.num_workers = 2;
  details.pin_memory = false;
  list.push_back({.phase = "DataLoaderIterInitialize", .details = details});
  job.events = events(list);
  add_cores(job, 16, flat(kSamples, 25));
  return job;
}

/// Pauses of the GPU in which each of four cores works `share` percent of the time.
job::Job working_cores(double share) {
  job::Job job;
  add(job, gpu(0), dip(14));
  add_cores(job, 4, dip(14, share, 10));
  return job;
}

} // namespace

TEST_CASE("waits that take 3.2 % of the loop are input_bound, those of 2.8 % are not") {
  const Finding finding = found(waiting(0.032), "input_bound");
  CHECK_THAT(finding.score, WithinAbs(0.032, kClose));
  CHECK(finding.severity == Severity::info);
  CHECK_FALSE(finds(waiting(0.028), "input_bound"));
}

TEST_CASE("input_bound is a warning from a tenth on and critical from a fifth on") {
  CHECK(found(waiting(0.098), "input_bound").severity == Severity::info);
  CHECK(found(waiting(0.102), "input_bound").severity == Severity::warning);
  CHECK(found(waiting(0.198), "input_bound").severity == Severity::warning);
  CHECK(found(waiting(0.202), "input_bound").severity == Severity::critical);
}

TEST_CASE("input_bound tells waits, workers and cores of the job itself") {
  const Finding finding = found(waiting(0.22), "input_bound");
  CHECK(finding.title == "The GPU is waiting on the data loader");
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.ground == "401 samples, 201 steps");
  CHECK(finding.why ==
        "The GPU was busy 78% of the training loop. 22% of the job's GPU time went to waiting for "
        "the next batch: 219 ms of each 995 ms iteration. 12 of 16 CPU cores sat idle.");
  // A batch costs two workers 0.22 s + 0.78 s each: 2 / 0.78 = 2.6 of them keep up.
  CHECK(
      finding.next ==
      "Set num_workers=3 (now 2). Training could run up to 1.3 times faster. Set pin_memory=True.");
  CHECK(finding.actions ==
        std::vector<std::string>{
            "Set num_workers=3 (now 2). Training could run up to 1.3 times faster.",
            "Set pin_memory=True."});
  CHECK_THAT(finding.gain.value(), WithinAbs(1 / 0.78, 0.01));
  // 201 steps have 200 waits between them.
  CHECK_THAT(evidence(finding, "wait per iteration"), WithinAbs(0.22 * 200 / 201, kClose));
  CHECK_THAT(evidence(finding, "median step"), WithinAbs(0.78, kClose));
  CHECK(evidence(finding, "workers") == 2);
  CHECK(evidence(finding, "cores") == 16);
  CHECK_THAT(evidence(finding, "cores busy during waits"), WithinAbs(4, kClose));
}

TEST_CASE("workers are advised by rank: those of all ranks of a node share its cores") {
  job::Job job = waiting(0.9);
  std::vector<Event> list;
  for (const char* const process : {"algo-1-27", "algo-1-28"})
    for (Event event : paced_events(0.9, "DataLoaderIter")) {
      event.process = process;
      list.push_back(event);
    }
  job::EventDetails details;
  details.num_workers = 2;
  list.push_back({.phase = "DataLoaderIterInitialize", .details = details});
  job.events = events(list);
  // Of 16 cores, two train and one is the system's: 6 for each rank. 2 / 0.1 = 20 would keep up.
  const Finding finding = found(job, "input_bound");
  CHECK(finding.actions.at(0).starts_with("Set num_workers=6 (now 2)."));
  CHECK(finding.actions.at(1).starts_with(
      "More workers alone won't hide the wait: that would take about 20 per rank."));
}

TEST_CASE("workers that leave the cores idle have room for more, up to one for each core") {
  const auto advice = [](std::int64_t workers, double busy) {
    job::Job job;
    add(job, gpu(0), cycle(kSamples, {0, 100}));
    add_cores(job, 2, flat(kSamples, busy));
    std::vector<Event> list = paced_events(0.5, "DataLoaderIter");
    job::EventDetails details;
    details.num_workers = workers;
    list.push_back({.phase = "DataLoaderIterInitialize", .details = details});
    job.events = events(list);
    return found(job, "input_bound").actions.at(0);
  };
  CHECK(advice(1, 40).starts_with("Set num_workers=2 (now 1)."));
  CHECK(advice(1, 60) == "Make each batch cheaper: there is already 1 worker for 2 cores.");
  CHECK(advice(2, 40) == "Make each batch cheaper: there are already 2 workers for 2 cores.");
}

TEST_CASE("input_bound says when and where") {
  const Finding finding = found(waiting(0.22), "input_bound");
  // Each second half is a window, and they are near enough to be one.
  REQUIRE(finding.windows == std::vector<TimeSpan>{{at(0.5), at(200)}});
  CHECK(finding.window_count == 1);
  CHECK_THAT(finding.window_seconds, WithinAbs(199.5, kClose));
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].node == "algo-1");
  CHECK(finding.where[0].device == "gpu0");
  CHECK_THAT(finding.where[0].share, WithinAbs(0.22, kClose));
}

TEST_CASE("waits too short to hold anywhere are windows of the whole loop") {
  CHECK(found(waiting(0.05), "input_bound").windows == std::vector<TimeSpan>{{at(0), at(200)}});
}

TEST_CASE("waits while the GPU works cost nothing") {
  job::Job job = paced(0.22, "DataLoaderIter");
  job.metrics.clear();
  add(job, gpu(0), flat(kSamples, 100));
  CHECK_FALSE(finds(job, "input_bound"));
}

TEST_CASE("without events, two cores at work in pauses are loading; fewer are not") {
  const Finding finding = found(working_cores(50), "input_bound"); // 2.0 cores
  CHECK_THAT(finding.score, WithinAbs(0.035, kClose));
  CHECK(finding.confidence == Confidence::low);
  CHECK(finding.windows == std::vector<TimeSpan>{{at(50), at(57)}});
  CHECK_THAT(finding.why, ContainsSubstring("3.5% of the job's GPU time was lost while more CPU "
                                            "cores were busy than training needs"));
  CHECK_THAT(finding.why, ContainsSubstring("2 of 4 CPU cores sat idle."));
  CHECK_THAT(finding.next, ContainsSubstring("2 of 4 CPU cores are idle. Record steps"));
  CHECK_FALSE(finds(working_cores(43), "input_bound")); // 1.72 cores
}

TEST_CASE("without events and without cores nothing tells of loading") {
  job::Job job;
  add(job, gpu(0), dip(100));
  CHECK_FALSE(finds(job, "input_bound"));
}

TEST_CASE("without GPUs it is training that waits, and shares are of its time") {
  job::Job job;
  job.events = events(paced_events(0.12, "DataLoaderIter"));
  const Finding finding = found(job, "input_bound");
  CHECK_THAT(finding.score, WithinAbs(0.12, kClose));
  CHECK(finding.title == "Training is waiting on the data loader");
  CHECK_THAT(finding.why, ContainsSubstring("Steps took 88% of the training loop. 12% of the "
                                            "job's time went to waiting"));
  CHECK(std::isnan(evidence(finding, "GPU busy in the training loop")));
}

TEST_CASE("workers that fill the cores are not raised, however many there are") {
  for (const std::int64_t workers : {std::int64_t{14}, INT64_MAX}) {
    job::Job job = paced(0.22, "DataLoaderIter");
    std::vector<Event> list = paced_events(0.22, "DataLoaderIter");
    job::EventDetails details;
    details.num_workers = workers;
    list.push_back({.phase = "DataLoaderIterInitialize", .details = details});
    job.events = events(list);
    add_cores(job, 16, flat(kSamples, 25));
    CHECK_THAT(found(job, "input_bound").next, ContainsSubstring("workers for 16 cores."));
  }
}

TEST_CASE("one worker on one core is worded in the singular") {
  job::Job job = paced(0.22, "DataLoaderIter");
  std::vector<Event> list = paced_events(0.22, "DataLoaderIter");
  job::EventDetails details;
  details.num_workers = 1;
  list.push_back({.phase = "DataLoaderIterInitialize", .details = details});
  job.events = events(list);
  add_cores(job, 1, flat(kSamples, 25));
  CHECK_THAT(found(job, "input_bound").next,
             ContainsSubstring("Make each batch cheaper: there is already 1 worker for 1 core."));
}

} // namespace test_input_bound
