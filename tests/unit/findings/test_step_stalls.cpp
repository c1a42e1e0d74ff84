#include "finding_support.h"

namespace test_step_stalls {

using namespace debrief;
using namespace debrief::test;

namespace {

/// Steps of half a second; `count` of them, `every` seconds apart from at(10) on, last `length`,
/// and the GPU does nothing in what goes beyond half a second.
job::Job stalling(int count, double length, double every) {
  std::vector<Event> list;
  std::vector<double> use = flat(kSamples, 100);
  double now = 0;
  for (int stall = 0; stall < count; ++stall) {
    const double start = 10 + stall * every;
    add_steps(list, now, start);
    add_steps(list, start, start + length, length);
    now = start + length;
    for (double second = start + 1; second <= now; second += 0.5)
      use[static_cast<std::size_t>(2 * second)] = 0;
  }
  add_steps(list, now, 200);
  job::Job job;
  add(job, gpu(0), use);
  job.events = events(list);
  return job;
}

/// The same to the GPU, without events: pauses of `samples` samples, 20 s apart.
job::Job pausing(std::size_t count, std::size_t samples) {
  std::vector<double> use = flat(kSamples, 100);
  for (std::size_t pause = 0; pause < count; ++pause)
    for (std::size_t i = 0; i < samples; ++i)
      use[41 + 40 * pause + i] = 0;
  job::Job job;
  add(job, gpu(0), use);
  return job;
}

} // namespace

TEST_CASE("two steps of 5 s among steps of 0.5 s are stalls, one is not worth naming") {
  const Finding finding = found(stalling(2, 5, 20), "step_stalls");
  CHECK_THAT(finding.score, WithinAbs(0.045, kClose)); // 2 x 4.5 s of 200 s
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.title == "A few steps stall the training loop");
  CHECK(finding.why == "2 stalls took 4.5% of the job's GPU time; the longest lasted 4.5 s, where "
                       "a step takes 500 ms (median).");
  CHECK_THAT(finding.next, ContainsSubstring("Look at what these steps do"));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(10.5), at(15)}, {at(30.5), at(35)}});
  CHECK(finding.window_seconds == 9);
  CHECK(evidence(finding, "stalls") == 2);
  CHECK(evidence(finding, "longest stall") == 4.5);
  CHECK_FALSE(finds(stalling(1, 5, 20), "step_stalls"));
}

TEST_CASE("step_stalls is a warning from a tenth on and critical from a fifth on") {
  CHECK(found(stalling(5, 5, 20), "step_stalls").severity == Severity::warning);  // 11.25%
  CHECK(found(stalling(9, 5, 20), "step_stalls").severity == Severity::critical); // 20.25%
}

TEST_CASE("one stall is worded in the singular") {
  CHECK_THAT(found(stalling(1, 10, 20), "step_stalls").why, ContainsSubstring("1 stall took"));
}

TEST_CASE("stalls that come regularly are told by their period") {
  CHECK_THAT(found(stalling(5, 5, 20), "step_stalls").next,
             ContainsSubstring("They come every 20 s"));
}

TEST_CASE("a step twice as long as the median is no stall, a longer one is") {
  CHECK_FALSE(finds(stalling(14, 1.0, 8), "step_stalls"));
  // 14 x 1 s.
  CHECK_THAT(found(stalling(14, 1.5, 8), "step_stalls").score, WithinAbs(0.07, kClose));
}

TEST_CASE("at most fifty windows are kept, the longest, and all are counted") {
  // 60 stalls of 1.5 s, 3 s apart.
  const Finding finding = found(stalling(60, 1.5, 3), "step_stalls");
  CHECK(finding.window_count == 60);
  CHECK(finding.title == "Steps stall the training loop");
  CHECK(finding.windows.size() == result::kMaxWindows);
  CHECK_THAT(finding.window_seconds, WithinAbs(60, kClose));
}

TEST_CASE("without events a pause of 5 s is a stall, and shorter ones are between steps") {
  const Finding finding = found(pausing(2, 10), "step_stalls");
  CHECK_THAT(finding.score, WithinAbs(0.05, kClose)); // 2 x 5 s of 200 s
  CHECK(finding.confidence == Confidence::low);
  CHECK(finding.windows == std::vector<TimeSpan>{{at(20), at(25)}, {at(40), at(45)}});
  CHECK(finding.why == "2 stalls took 5.0% of the job's GPU time; the longest lasted 5 s.");
  CHECK_FALSE(finds(pausing(3, 9), "step_stalls"));
  CHECK(finds(pausing(3, 9), "between_steps"));
}

TEST_CASE("pauses of a GPU that does little anyway are no stalls") {
  std::vector<double> use = flat(kSamples, 45);
  for (std::size_t i = 100; i < 140; ++i)
    use[i] = 0;
  job::Job job;
  add(job, gpu(0), use);
  CHECK_FALSE(finds(job, "step_stalls"));
  CHECK(finds(job, "underutilized"));
}

TEST_CASE("without GPUs stalls are shares of the job's time") {
  job::Job job = stalling(5, 5, 20);
  job.metrics.clear();
  const Finding finding = found(job, "step_stalls");
  CHECK_THAT(finding.score, WithinAbs(0.1125, kClose));
  CHECK_THAT(finding.why, ContainsSubstring("5 stalls took 11% of the job's time;"));
}

TEST_CASE("too few steps have no usual duration") {
  job::Job job;
  job.events = events({{.phase = "Step:ModeKeys.TRAIN", .start = 0, .duration = 1},
                       {.phase = "Step:ModeKeys.TRAIN", .start = 1, .duration = 1},
                       {.phase = "Step:ModeKeys.TRAIN", .start = 2, .duration = 50},
                       {.phase = "Step:ModeKeys.TRAIN", .start = 52, .duration = 1}});
  CHECK_FALSE(finds(job, "step_stalls"));
}

} // namespace test_step_stalls
