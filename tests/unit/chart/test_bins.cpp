#include "chart/histogram.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <limits>
#include <numeric>

namespace test_bins {

using namespace debrief::chart;
using Catch::Approx;

TEST_CASE("Counts go whole into bins that hold theirs, and divided over edges") {
  const Bins bins{{0, 1, 2, 3}, {4, 6, 8}};
  CHECK(rebin(std::vector<double>{0, 3}, bins) == std::vector<double>{18});
  CHECK(rebin(std::vector<double>{0, 1.5, 3}, bins) == std::vector<double>{7, 11});
  CHECK(rebin(std::vector<double>{-2, -1, 0.5, 10}, bins) == std::vector<double>{0, 2, 16});
}

TEST_CASE("No count is lost on the way to other bins") {
  const Bins bins{even_edges(0.07, 0.0913, 100), std::vector<double>(100, 3)};
  const auto into = rebin(even_edges(0.02, 0.1, 80), bins);
  CHECK(std::accumulate(into.begin(), into.end(), 0.0) == Approx(300));
}

TEST_CASE("Only bins with rising edges and a count can be drawn") {
  using V = std::vector<double>;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK(are_drawable(V{0, 1}, V{1}));
  CHECK(!are_drawable(V{}, V{}));
  CHECK(!are_drawable(V{0, 1}, V{0}));
  CHECK(!are_drawable(V{0, 1}, V{1, 2}));
  CHECK(!are_drawable(V{1, 1}, V{1}));
  CHECK(!are_drawable(V{0, nan}, V{1}));
  CHECK(!are_drawable(V{0, 1, 2}, V{1, -1}));
  CHECK(!are_drawable(V{0, 1, 2}, V{1, nan}));
}

} // namespace test_bins
