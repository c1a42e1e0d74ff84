#include "chart/axis.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_axis {

using namespace debrief;
using namespace debrief::chart;

namespace {

std::vector<std::string> labels(const std::vector<Tick>& ticks) {
  std::vector<std::string> out;
  for (const Tick& tick : ticks)
    out.push_back(tick.label);
  return out;
}

using Labels = std::vector<std::string>;

} // namespace

TEST_CASE("A scale maps its ends, and a scale without length does not divide by zero") {
  const Scale scale{0, 10, 100, 0};
  CHECK(scale(0) == 100);
  CHECK(scale(10) == 0);
  CHECK(scale(2.5) == 75);
  CHECK(Scale{3, 3, 5, 9}(3) == 5);
}

TEST_CASE("Ticks lie at round values within the scale") {
  CHECK(nice_values(0, 10, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(nice_values(3, 17, 3) == std::vector<double>{5, 10, 15});
  CHECK(nice_values(4, 4, 3) == std::vector<double>{4});
  CHECK(nice_values(1e20, 1e20 + 16384, 6).size() == 1); // doubles are further apart than ticks
  CHECK(nice_ceiling(0.03) == 0.05);
  CHECK(nice_ceiling(100) == 100);
  CHECK(nice_ceiling(101) == 200);
  CHECK(nice_ceiling(0) == 1);
}

TEST_CASE("Labels are in units that people read") {
  CHECK(labels(duration_ticks(0, 0.05, 3)) == Labels{"0", "20 ms", "40 ms"});
  CHECK(labels(duration_ticks(0.0791, 0.07916, 3)) ==
        Labels{"79.10 ms", "79.12 ms", "79.14 ms", "79.16 ms"});
  CHECK(labels(duration_ticks(79.1, 79.2, 2)) == Labels{"79.10 s", "79.15 s", "79.20 s"});
  CHECK(exact_duration(0.0000021, 1e-7) == "2.1 µs");
  CHECK(labels(bytes_ticks(3e6, 3)) == Labels{"0", "1 MB", "2 MB", "3 MB"});
  CHECK(labels(count_ticks(3, 10)) == Labels{"0", "1", "2", "3"});
  CHECK(labels(count_ticks(40000, 2)) == Labels{"0", "20k", "40k"});
}

TEST_CASE("Times are cut to what the step needs") {
  const Microseconds start = *parse_time("2025-01-21T11:09:14Z");
  CHECK(labels(time_ticks({start, start + 3 * kMinute}, 4)) == Labels{"11:10", "11:11", "11:12"});
  CHECK(labels(time_ticks({start, start + 20 * kSecond}, 4)) ==
        Labels{"11:09:15", "11:09:20", "11:09:25", "11:09:30"});
  CHECK(labels(time_ticks({start, start + 72 * kHour}, 4)) == Labels{"01-22", "01-23", "01-24"});
  CHECK(time_ticks({start, start + 400 * 24 * kHour}, 6).size() <= 7);
  CHECK(labels(time_ticks({start, start + 4000}, 4)) ==
        Labels{"09:14.000", "09:14.001", "09:14.002", "09:14.003", "09:14.004"});
}

} // namespace test_axis
