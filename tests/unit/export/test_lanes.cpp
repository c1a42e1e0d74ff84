#include "export/lanes.h"

#include <catch2/catch_test_macros.hpp>

namespace test_lanes {

using namespace debrief;

TEST_CASE("slices that nest or follow each other share a lane") {
  exports::Lanes lanes;
  CHECK(lanes.place(0, 100) == 0);
  CHECK(lanes.place(0, 100) == 0); // as long as the one around it
  CHECK(lanes.place(10, 20) == 0);
  CHECK(lanes.place(20, 30) == 0);
  CHECK(lanes.place(30, 30) == 0); // no length
  CHECK(lanes.place(100, 110) == 0);
}

TEST_CASE("slices that overlap without nesting go to lanes of their own") {
  exports::Lanes lanes;
  CHECK(lanes.place(0, 100) == 0);
  CHECK(lanes.place(50, 150) == 1);
  CHECK(lanes.place(60, 140) == 1); // nests in the second
  CHECK(lanes.place(70, 160) == 2);
  CHECK(lanes.place(100, 200) == 0); // the first is free again
}

TEST_CASE("lanes are bounded, whatever overlaps") {
  exports::Lanes lanes;
  std::int32_t highest = 0;
  for (Nanoseconds i = 0; i < 1000; ++i)
    highest = std::max(highest, lanes.place(i, 10'000 + i));
  CHECK(highest == static_cast<std::int32_t>(exports::Lanes::kMax) - 1);
}

} // namespace test_lanes
