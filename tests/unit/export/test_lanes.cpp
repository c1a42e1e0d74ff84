#include "export/lanes.h"

#include <catch2/catch_test_macros.hpp>

namespace test_lanes {

using namespace debrief;

namespace {

std::int32_t place(exports::Lanes& lanes, std::int64_t start, std::int64_t end) {
  return lanes.place(Nanoseconds{start}, Nanoseconds{end});
}

} // namespace

TEST_CASE("slices that nest or follow each other share a lane") {
  exports::Lanes lanes;
  CHECK(place(lanes, 0, 100) == 0);
  CHECK(place(lanes, 0, 100) == 0); // as long as the one around it
  CHECK(place(lanes, 10, 20) == 0);
  CHECK(place(lanes, 20, 30) == 0);
  CHECK(place(lanes, 30, 30) == 0); // no length
  CHECK(place(lanes, 100, 110) == 0);
}

TEST_CASE("slices that overlap without nesting go to lanes of their own") {
  exports::Lanes lanes;
  CHECK(place(lanes, 0, 100) == 0);
  CHECK(place(lanes, 50, 150) == 1);
  CHECK(place(lanes, 60, 140) == 1); // nests in the second
  CHECK(place(lanes, 70, 160) == 2);
  CHECK(place(lanes, 100, 200) == 0); // the first is free again
}

TEST_CASE("lanes are bounded, whatever overlaps") {
  exports::Lanes lanes;
  std::int32_t highest = 0;
  for (std::int64_t i = 0; i < 1000; ++i)
    highest = std::max(highest, place(lanes, i, 10'000 + i));
  CHECK(highest == static_cast<std::int32_t>(exports::Lanes::kMax) - 1);
}

} // namespace test_lanes
