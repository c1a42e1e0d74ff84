#include "aggregate/trace/trace_maker.h"
#include "export/time_range.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_time_range {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;

namespace {

constexpr Nanoseconds kSecondNs{1'000'000'000};

Nanoseconds ns(double second) {
  return to_nanoseconds(test::at(second));
}

/// Metrics from 0 to 100 s, and a trace with steps 3 (10..11 s), 4 (11..12 s) and 7 (20..21 s).
job::Job example() {
  job::Job job;
  job.metrics.push_back(test::series("algo-1", test::cpu(0), {0, 100}, {1, 2}));
  test::TraceMaker maker{"algo-1-27"};
  maker.step(3, ns(10), ns(11));
  maker.step(4, ns(11), ns(12));
  maker.step(7, ns(20), ns(21));
  job.traces.push_back(maker.make());
  return job;
}

std::vector<exports::Span> spans(const job::Job& job, const char* from, const char* until,
                                 const char* steps) {
  std::vector<aggregate::TraceIndex> traces;
  for (const job::Trace& trace : job.traces)
    traces.emplace_back(trace);
  return exports::TimeRanges{exports::RangeRequest{from, until, steps}, job, traces,
                             exports::JobClock{job}}
      .spans();
}

using Spans = std::vector<exports::Span>;

} // namespace

TEST_CASE("times are seconds after the job's start, seconds since the epoch, or ISO-8601") {
  const job::Job job = example();
  const Spans expected = {{ns(10), ns(12.5)}};
  CHECK(spans(job, "10", "12.5", "") == expected);
  CHECK(spans(job, "1700000010", "1700000012.5", "") == expected);
  CHECK(spans(job, "2023-11-14T22:13:30Z", "2023-11-14 22:13:32.5", "") == expected);
  CHECK(spans(job, "", "", "") == Spans{{ns(0), ns(100) + Nanoseconds{1}}}); // the last moment too
}

TEST_CASE("steps that follow each other are one stretch") {
  const job::Job job = example();
  CHECK(spans(job, "", "", "3..4") == Spans{{ns(10), ns(12)}});
  CHECK(spans(job, "", "", "3..7") == Spans{{ns(10), ns(21)}});
  CHECK(spans(job, "", "", "7") == Spans{{ns(20), ns(21)}});
}

TEST_CASE("steps of the same numbers far apart are stretches of their own") {
  job::Job job = example();
  test::TraceMaker maker{"algo-1-28"};
  maker.step(3, ns(50), ns(51));
  maker.step(5, ns(51), ns(52));
  job.traces.push_back(maker.make());
  CHECK(spans(job, "", "", "3..4") == Spans{{ns(10), ns(12)}, {ns(50), ns(51)}});
}

TEST_CASE("without such profiled steps the recorded ones are taken") {
  job::Job job = example();
  test::Event step{"Step:ModeKeys.TRAIN"};
  step.start = 60;
  step.duration = 0.5;
  step.step = 40;
  job.events = test::events({step});
  CHECK(spans(job, "", "", "40") == Spans{{ns(60), ns(60.5)}});
}

TEST_CASE("a range without anything in it is an error that says what there is") {
  const job::Job job = example();
  CHECK_THROWS_MATCHES(spans(job, "", "", "5..6"), Error,
                       MessageMatches(ContainsSubstring("it has profiled steps 3 to 7")));
  CHECK_THROWS_MATCHES(
      spans(job, "101", "", ""), Error,
      MessageMatches(ContainsSubstring("to 2023-11-14T22:15:00.000000Z (100.000 s)")));
  CHECK_THROWS_AS(spans(job, "", "-1", ""), Error);
  CHECK_THROWS_AS(spans(job, "5", "4", ""), Error);
  CHECK_THROWS_AS(spans(job::Job{}, "", "", "1"), Error);
}

TEST_CASE("what is no range is refused before anything is read") {
  for (const char* steps : {"x", "3..", "..3", "4..3", "-1", "3...4", "1..2..3"})
    CHECK_THROWS_AS(exports::RangeRequest("", "", steps), Error);
  for (const char* time : {"soon", "1e999", "5 s", "nan"})
    CHECK_THROWS_AS(exports::RangeRequest(time, "", ""), Error);
  CHECK_THROWS_AS(exports::RangeRequest("1", "", "3"), Error);
  CHECK(exports::RangeRequest("", "", "").empty());
}

TEST_CASE("a range holds what overlaps it, without its end") {
  const job::Job job = example();
  std::vector<aggregate::TraceIndex> traces;
  const exports::TimeRanges ranges{exports::RangeRequest{"10", "12", ""}, job, traces,
                                   exports::JobClock{job}};
  CHECK(ranges.overlaps(ns(9), ns(10) + Nanoseconds{1}));
  CHECK_FALSE(ranges.overlaps(ns(9), ns(10)));
  CHECK(ranges.overlaps(ns(10), ns(10))); // a moment
  CHECK(ranges.overlaps(ns(12) - Nanoseconds{1}, ns(13)));
  CHECK_FALSE(ranges.overlaps(ns(12), ns(13)));
  CHECK_FALSE(ranges.overlaps(ns(12), ns(12)));
  CHECK(ranges.overlaps(ns(0), ns(100)));
}

TEST_CASE("a recording without a clock begins with the job, and its cycles keep their distance") {
  job::Job job = example();
  for (const Nanoseconds start : {5 * kSecondNs, 8 * kSecondNs}) {
    test::TraceMaker maker{"adrift"};
    maker.step(90 + start / kSecondNs, start, start + kSecondNs);
    maker.trace().clock_known = false;
    job.traces.push_back(maker.make());
  }
  const exports::JobClock clock{job};
  CHECK(clock.start() == ns(0));
  CHECK(clock.shift(job.traces[0]) == Nanoseconds{});
  CHECK(clock.shift(job.traces[1]) == ns(0) - 5 * kSecondNs);
  CHECK(clock.shift(job.traces[2]) == clock.shift(job.traces[1]));
  CHECK(spans(job, "", "", "98") == Spans{{ns(3), ns(4)}});
}

} // namespace test_time_range
