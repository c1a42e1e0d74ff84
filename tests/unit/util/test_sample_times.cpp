#include "util/median.h"
#include "util/sample_times.h"

#include <catch2/catch_test_macros.hpp>

namespace test_sample_times {

using namespace debrief;

TEST_CASE("a median is a value that occurs") {
  CHECK(median(std::vector<int>{3, 1, 2}) == 2);
  CHECK(median(std::vector<int>{4, 1, 3, 2}) == 2);
  CHECK(median(std::vector<double>{}) == 0);
}

TEST_CASE("the usual interval is the median, and less than two samples have none") {
  const std::vector<Microseconds> times = {0, 10, 20, 100, 110};
  CHECK(usual_interval(times) == 10);
  CHECK(usual_interval(std::span{times}.first(1)) == 0);
  CHECK(usual_interval({}) == 0);
}

TEST_CASE("a gap is more than five usual intervals, and more than a second") {
  CHECK(max_interval(kSecond) == 5 * kSecond);
  CHECK(max_interval(kSecond / 2) == 5 * kSecond / 2);
  CHECK(max_interval(kSecond / 10) == kSecond);
  CHECK(max_interval(0) == kSecond);
}

TEST_CASE("a sample stands for the time since the one before, or until the next") {
  const std::vector<Microseconds> times = {0,           kSecond,      2 * kSecond,
                                           7 * kSecond, 13 * kSecond, 14 * kSecond};
  const SampleIntervals intervals{times};
  CHECK(intervals.usual() == kSecond);
  CHECK(intervals.before(0).length() == 0);
  CHECK(intervals.before(1) == TimeSpan{0, kSecond});
  CHECK(intervals.before(3) == TimeSpan{2 * kSecond, 7 * kSecond});   // late
  CHECK(intervals.before(4) == TimeSpan{12 * kSecond, 13 * kSecond}); // after a gap
  CHECK(intervals.after(2) == TimeSpan{2 * kSecond, 7 * kSecond});
  CHECK(intervals.after(3) == TimeSpan{7 * kSecond, 8 * kSecond}); // before a gap
  CHECK(intervals.after(5).length() == 0);
}

TEST_CASE("samples of several devices within 20 ms are one moment, with one of each device") {
  MomentCounter moments{3};
  CHECK(moments.take(0, 0) == 1);
  CHECK(moments.take(kSameMoment, 1) == 1);
  CHECK(moments.take(kSameMoment + 1, 2) == 2); // too late
  CHECK(moments.take(kSameMoment + 2, 0) == 2);
  CHECK(moments.take(kSameMoment + 3, 2) == 3); // had its sample already
  CHECK(moments.count() == 3);
}

TEST_CASE("one sample stands for nothing") {
  const std::vector<Microseconds> times = {5};
  const SampleIntervals intervals{times};
  CHECK(intervals.usual() == 0);
  CHECK(intervals.before(0).length() == 0);
  CHECK(intervals.after(0).length() == 0);
}

} // namespace test_sample_times
