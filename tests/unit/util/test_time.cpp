#include "util/time.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_time {

using namespace debrief;

TEST_CASE("float seconds become microseconds, rounded to nearest") {
  CHECK(from_seconds(1737457754.001811) == 1737457754001811);
  CHECK(from_seconds(1591160699.457089) == 1591160699457089);
  CHECK(from_seconds(-1.5) == -1500000);
  CHECK_FALSE(from_seconds(NAN));
  CHECK_FALSE(from_seconds(INFINITY));
  CHECK_FALSE(from_seconds(1e300));
}

TEST_CASE("times are written in UTC with six decimals") {
  CHECK(to_iso8601(1794700090005176) == "2026-11-14T23:48:10.005176Z");
  CHECK(to_iso8601(0) == "1970-01-01T00:00:00.000000Z");
  CHECK(to_readable_time(1794700090005176) == "2026-11-14 23:48:10 UTC");
  CHECK(to_smdebug_text(1794700090005176) == "2026-11-14T23:48:10:005176");
}

TEST_CASE("times are read as ISO-8601 or as seconds") {
  const Microseconds expected = 1794700090500000;
  CHECK(parse_time("2026-11-14T23:48:10.5Z") == expected);
  CHECK(parse_time("2026-11-14T23:48:10.500000+00:00") == expected);
  CHECK(parse_time("2026-11-15 00:48:10.5+01:00") == expected);
  CHECK(parse_time("2026-11-15T00:48:10.5+0100") == expected);
  CHECK(parse_time("2026-11-14 23:48:10.5") == expected);
  CHECK(parse_time("1794700090.5") == expected);
  CHECK(parse_time("2026-11-14 20:18:10.5 -0330") == expected);
  CHECK(parse_time("2026-11-14T23:48:10.5000009Z") == expected);
  CHECK(parse_time("2026-11-14") == 1794614400000000);
  CHECK(parse_time("2024-02-29") == 1709164800000000);
  CHECK_FALSE(parse_time(""));
  CHECK_FALSE(parse_time("yesterday"));
  CHECK_FALSE(parse_time("2026-11-14T23:48:10Z and more"));
  CHECK_FALSE(parse_time("nan"));
  for (const char* wrong :
       {"2026-11-14T23:4", "2026-11-14T23:48:", "2026-11-14T23:48:1xZ", "2026-11-14T24:48:10Z",
        "2026-02-29", "2026-13-01", "2026-1-1", "+026-11-14", "2026-11-14T23:48:10+1:00"}) {
    INFO(wrong);
    CHECK_FALSE(parse_time(wrong));
  }
}

TEST_CASE("durations are shown in two parts at most") {
  CHECK(to_human_duration(5.27) == "5.27 s");
  CHECK(to_human_duration(125.3) == "2 min 5 s");
  CHECK(to_human_duration(59.97) == "1 min 0 s");
  CHECK(to_human_duration(3723) == "1 h 2 min");
  CHECK(to_human_duration(93784.2) == "1 d 2 h");
  CHECK(to_human_duration(0.0021) == "2.1 ms");
  CHECK(to_human_duration(0.0000405) == "40.5 µs");
  CHECK(to_human_duration(0) == "0 s");
  CHECK(to_human_duration(-2) == "-2 s");
}

TEST_CASE("a span grows to include a moment") {
  TimeSpan span{10, 20};
  span.include(5);
  span.include(15);
  span.include(30);
  CHECK(span == TimeSpan{5, 30});
  CHECK(span.length() == 25);
  CHECK(span.contains(5));
  CHECK(span.contains(30));
  CHECK_FALSE(span.contains(31));
}

} // namespace test_time
