#include "aggregate/statistics.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <vector>

namespace test_box {

using namespace debrief;
using Catch::Matchers::WithinAbs;

TEST_CASE("a box has numpy's quartiles and whiskers of 1.5 times its height") {
  // numpy.percentile([1, 2, 3, 4, 100], [0, 5, 25, 50, 75, 95, 100])
  const aggregate::Box box = aggregate::box_of(std::vector<double>{100, 1, 3, 2, 4});
  CHECK(box.min == 1);
  CHECK_THAT(box.p05, WithinAbs(1.2, 1e-12));
  CHECK(box.p25 == 2);
  CHECK(box.p50 == 3);
  CHECK(box.p75 == 4);
  CHECK_THAT(box.p95, WithinAbs(80.8, 1e-12));
  CHECK(box.max == 100);
  CHECK(box.upper() == 7); // 4 + 1.5 * 2
  CHECK(box.lower() == 1); // not below the smallest value
}

TEST_CASE("whiskers end inside the values where those go far") {
  // numpy.percentile([-50, 10, 11, 12, 13, 14, 90], [25, 75]) is 10.5, 13.5
  const aggregate::Box box = aggregate::box_of(std::vector<double>{-50, 10, 11, 12, 13, 14, 90});
  CHECK(box.lower() == 6);
  CHECK(box.upper() == 18);
}

TEST_CASE("a single value is all of its box") {
  const aggregate::Box box = aggregate::box_of(std::vector<double>{42.5});
  for (const double figure :
       {box.min, box.p05, box.p25, box.p50, box.p75, box.p95, box.max, box.lower(), box.upper()})
    CHECK(figure == 42.5);
}

TEST_CASE("the values themselves stay in their order") {
  const std::vector<double> values = {3, 1, 2};
  aggregate::box_of(values);
  CHECK(values == std::vector<double>{3, 1, 2});
}

} // namespace test_box
