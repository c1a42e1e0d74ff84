#include "util/size.h"

#include <catch2/catch_test_macros.hpp>

namespace test_size {

using debrief::parse_size;

TEST_CASE("sizes are read as people write them") {
  CHECK(parse_size("2000000") == 2'000'000);
  CHECK(parse_size("500kB") == 500'000);
  CHECK(parse_size("8MB") == 8'000'000);
  CHECK(parse_size("1.5 mb") == 1'500'000);
  CHECK(parse_size("2GB") == 2'000'000'000);
  CHECK(parse_size("12B") == 12);
}

TEST_CASE("what is no size is not read as one") {
  for (const char* text : {"", "MB", "8 MiB", "8MBs", "-1", "0", "0.2", "nan", "inf", "1e6", "8M",
                           "99999999GB", "8MB 2", "0x10"}) {
    INFO(text);
    CHECK(parse_size(text) == std::nullopt);
  }
}

} // namespace test_size
