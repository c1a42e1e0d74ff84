#include "chart/paths.h"
#include "chart/svg.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace test_path {

using namespace debrief::chart;

TEST_CASE("A path is written short") {
  Path path;
  CHECK(path.empty());
  path.move(10, 20.04);
  path.line(12, 19.5);
  path.line(14.3, 19.2);
  path.line(16, 19.2);
  path.line(16, 30);
  path.line(16, 30);
  path.close();
  CHECK(path.text() == "M10 20l2-.5 2.3-.3h1.7v10.8z");
}

TEST_CASE("A new part begins where it should, also after a closed one") {
  Path path;
  path.box(100, 100, 5, 5);
  path.box(110, 100, 5, 5);
  path.box(10, 9, 5, 5);
  CHECK(path.text() == "M100 100h5v5h-5zm10 0h5v5h-5zM10 9h5v5h-5z");
  const auto parts = parts_of(path.text());
  REQUIRE(parts.size() == 3);
  CHECK(parts[1][2].x == 115);
  CHECK(parts[2][0].x == 10);
}

TEST_CASE("A path has no error that grows with its length") {
  Path path;
  path.move(0, 0);
  for (int at = 1; at <= 10'000; ++at)
    path.line(at / 3.0, at % 7 / 3.0);
  const auto parts = parts_of(path.text());
  REQUIRE(parts.size() == 1);
  CHECK(std::abs(parts[0].back().x - 10'000 / 3.0) < 0.06);
}

TEST_CASE("A path has finite numbers only") {
  Path path;
  path.move(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
  CHECK(path.text() == "M0 0");
}

} // namespace test_path
