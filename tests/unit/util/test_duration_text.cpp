#include "util/duration_text.h"

#include <catch2/catch_test_macros.hpp>

namespace debrief {

TEST_CASE("durations have units") {
  using std::chrono::milliseconds;
  CHECK(parse_duration("200ms") == milliseconds{200});
  CHECK(parse_duration("0.5s") == milliseconds{500});
  CHECK(parse_duration("1min") == milliseconds{60'000});
  CHECK(parse_duration("2h") == milliseconds{7'200'000});
  CHECK(parse_duration("250") == milliseconds{250});
  for (const char* text : {"", "s", "-1s", "0", "1d", "nan", "1 s"})
    CHECK_FALSE(parse_duration(text));
}

} // namespace debrief
