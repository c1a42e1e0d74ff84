#include "finding_support.h"

namespace test_process_time {

using namespace debrief;
using namespace debrief::test;

namespace {

using Spans = std::vector<TimeSpan>;

Event step(double start, double duration) {
  return {.phase = "Step:ModeKeys.TRAIN", .start = start, .duration = duration};
}

std::vector<findings::ProcessTime> of(const std::vector<Event>& list) {
  job::Job job;
  job.events = events(list);
  return times_of(job);
}

} // namespace

TEST_CASE("time between steps is between, but for what waits for data") {
  const auto times = of({step(0, 1),
                         {.phase = "DataLoaderIter", .start = 1.2, .duration = 0.3},
                         step(2, 1),
                         step(3, 1)});
  REQUIRE(times.size() == 1);
  CHECK(times[0].process == "algo-1-27");
  CHECK(times[0].node == "algo-1");
  CHECK(times[0].known == 4 * kSecond);
  CHECK(times[0].input == Spans{{at(1.2), at(1.5)}});
  CHECK(times[0].between == Spans{{at(1), at(1.2)}, {at(1.5), at(2)}});
  CHECK_FALSE(times[0].profiled);
}

TEST_CASE("a wait within a step is input, and what of a stall it leaves is stall") {
  std::vector<Event> list = {step(0, 1), step(1, 1), step(2, 1),
                             step(3, 1), step(4, 5), step(9, 1)};
  list.push_back({.phase = "DataLoaderIter", .start = 6, .duration = 1});
  const auto times = of(list);
  CHECK(times.at(0).input == Spans{{at(6), at(7)}});
  CHECK(times[0].stall == Spans{{at(5), at(6)}, {at(7), at(9)}}); // beyond the usual second
  CHECK(times[0].between.empty());
}

TEST_CASE("a stall is longer than twice the median, and by more than a tenth of a second") {
  const auto stalls = [](double usual, double slow) {
    std::vector<Event> list;
    for (int i = 0; i < 9; ++i)
      list.push_back(step(i, usual));
    list.push_back(step(20, slow));
    return of(list).at(0).stall.size();
  };
  CHECK(stalls(0.5, 1.0) == 0);
  CHECK(stalls(0.5, 1.01) == 1);
  CHECK(stalls(0.01, 0.1) == 0); // by 90 ms
  CHECK(stalls(0.01, 0.12) == 1);
}

TEST_CASE("a slow first step warms up, it does not stall") {
  const auto times = of({step(0, 10), step(10, 1), step(11, 1), step(12, 1), step(13, 1)});
  CHECK(times.at(0).warm_up == Spans{{at(1), at(10)}});
  CHECK(times[0].stall.empty());
}

TEST_CASE("collectives count within steps only, and each moment once") {
  const auto times = of({step(0, 1),
                         step(2, 1),
                         {.phase = "NcclManager", .start = 0.5, .duration = 2},
                         {.phase = "NcclManager", .start = 0.6, .duration = 0.1}});
  CHECK(times.at(0).collective == Spans{{at(0.5), at(1)}, {at(2), at(2.5)}});
}

TEST_CASE("events out of order, of no length and of other processes change nothing") {
  const auto times = of({step(2, 1),
                         {.phase = "DataLoaderIter", .start = 1.5, .duration = 0},
                         {.phase = "DataLoaderIter", .start = 1, .duration = 1, .process = "other"},
                         step(0, 1)});
  REQUIRE(times.size() == 1);
  CHECK(times[0].known == 3 * kSecond);
  CHECK(total_length(times[0].between) == kSecond);
  CHECK(total_length(times[0].input) == 0);
}

TEST_CASE("a process that is started again is one, those that run side by side are several") {
  const auto of_process = [](Event event, const char* process, const char* node = "algo-1") {
    event.process = process;
    event.node = node;
    return event;
  };
  const auto times =
      of({of_process(step(0, 1), "algo-1-1"), of_process(step(2, 1), "algo-1-1"),
          of_process(step(0, 2), "algo-1-2"), of_process(step(4, 1), "algo-1-3"),
          of_process(step(6, 1), "algo-1-3"), of_process(step(10, 1), "algo-2-1", "algo-2")});
  REQUIRE(times.size() == 3);
  CHECK(times[0].process == "algo-1-1"); // goes on as algo-1-3
  CHECK(times[0].known == 7 * kSecond);
  CHECK(times[0].between == Spans{{at(1), at(2)}, {at(3), at(4)}, {at(5), at(6)}});
  CHECK(times[1].process == "algo-1-2");
  CHECK(times[1].between.empty());
  CHECK(times[2].process == "algo-2-1"); // on another node
}

namespace {

/// Two ranks that train together, eleven iterations of a second: in the even ones the first waits
/// `wait` for its batch and the second for the first, in the odd ones the other way around.
std::vector<Event> ranks_in_step(double wait, double drift = 0) {
  std::vector<Event> list;
  const auto add = [&](Event event, int rank) {
    event.process = rank == 0 ? "algo-1-1" : "algo-1-2";
    event.start += rank * drift * event.start;
    list.push_back(event);
  };
  for (int i = 0; i < 11; ++i)
    for (int rank : {0, 1}) {
      const double begin = i % 2 == rank ? wait : 0;
      if (begin > 0) add({.phase = "DataLoaderIter", .start = i * 1.0, .duration = begin}, rank);
      add(step(i + begin, 1 - begin), rank);
    }
  return list;
}

} // namespace

TEST_CASE("who waits for a rank that waits for data waits for data") {
  const auto times = of(ranks_in_step(0.8));
  REQUIRE(times.size() == 2);
  // Its own six waits, and the other's five: its own steps take 0.2 s then, too.
  CHECK(total_length(times[0].input) == at(11 * 0.8) - at(0));
  CHECK(times[0].stall.empty());
  CHECK(total_length(times[1].input) == at(10 * 0.8) - at(0)); // the first step warms up
}

TEST_CASE(
    "ranks that hardly wait, and processes that do not train together, keep their own waits") {
  for (const auto& list : {ranks_in_step(0.3), ranks_in_step(0.8, 0.2)}) {
    const auto times = of(list);
    REQUIRE(times.size() == 2);
    for (const findings::ProcessTime& process : times) {
      Microseconds own = 0;
      for (const Event& event : list)
        if (event.process == process.process && event.phase == "DataLoaderIter")
          own += at(event.duration) - at(0);
      CHECK(total_length(process.input) == own);
    }
  }
}

TEST_CASE("steps of unknown clock are at no moment") {
  Event unknown = step(0, 1);
  unknown.clock_known = false;
  CHECK(of({unknown}).empty());
  CHECK(of({}).empty());
}

TEST_CASE("what traces profiled tells of the profiled steps alone") {
  Event first = step(0, 1);
  first.phase = "Step:ModeKeys.PROFILED";
  first.kind = job::TimelineKind::pytorch_profiler;
  Event second = first;
  second.start = 100;
  Event wait = {.phase = "DataLoaderIter",
                .start = 100.2,
                .duration = 0.1,
                .kind = job::TimelineKind::pytorch_profiler};
  const auto times = of({first, second, wait});
  REQUIRE(times.size() == 1);
  CHECK(times[0].profiled);
  CHECK(times[0].known == 2 * kSecond);
  CHECK(times[0].between.empty());
  CHECK(times[0].input == Spans{{at(100.2), at(100.3)}});
  CHECK_FALSE(findings::NodeActivity(times, "algo-1").known());
  // Beside all steps of the same process these waits stand for themselves only.
  const auto both = of({step(0, 1), step(1, 99), wait});
  CHECK(both.at(0).input.empty());
}

TEST_CASE("a node's time is the mean over its processes") {
  std::vector<findings::ProcessTime> processes(3);
  processes[0].node = "algo-1";
  processes[0].known = 10;
  processes[0].input = {{0, 4}};
  processes[1].node = ""; // not known: it may be here
  processes[1].known = 10;
  processes[1].stall = {{4, 6}};
  processes[2].node = "algo-2";
  processes[2].known = 10;
  processes[2].between = {{0, 10}};
  const findings::NodeActivity time{processes, "algo-1"};
  REQUIRE(time.known());
  const findings::ActivityShares shares = time.within({0, 8});
  CHECK(shares.input == 0.25); // 4 of 8, of one of two
  CHECK(shares.stall == 0.125);
  CHECK(shares.between == 0);
  CHECK(time.within({3, 3}).input == 0);
  CHECK_FALSE(findings::NodeActivity({}, "algo-1").known());
}

} // namespace test_process_time
