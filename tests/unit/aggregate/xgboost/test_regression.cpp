#include "aggregate/xgboost/regression.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_regression {

using namespace debrief;
using Catch::Approx;
using Values = std::vector<double>;

TEST_CASE("regression: errors, residuals and ten bins of labels") {
  const Values labels = {0, 1, 2, 10};
  const Values predictions = {0, 2, 2, 7};
  const auto found = aggregate::regression(labels, predictions);
  CHECK(found.rmse == Approx(std::sqrt(10.0 / 4)));
  CHECK(found.mae == Approx(1));
  CHECK(found.r2 == Approx(1 - 10.0 / 62.75));
  CHECK(found.residuals.mean == Approx(0.5));
  CHECK(found.residuals.min == -1.0);
  CHECK(found.residuals.max == 3.0);
  REQUIRE(found.bins.size() == 10);
  CHECK(found.bins[1].rows == 1);
  CHECK(found.bins[9].rows == 1); // the upper edge is in
  const auto errors = aggregate::errors_by_bin(found.bins, labels, predictions);
  CHECK(errors[0] == 0.0);
  CHECK(errors[1] == 1.0);
  CHECK_FALSE(errors[5]);
  CHECK(errors[9] == 3.0);
}

TEST_CASE("regression: equal labels have no R², and moments may be too large to have") {
  const auto equal = aggregate::regression(Values{5, 5}, Values{5, 6});
  CHECK_FALSE(equal.r2);
  CHECK(equal.bins.size() == 10);
  const auto huge = aggregate::regression(Values{1e308, -1e308}, Values{-1e308, 1e308});
  CHECK_FALSE(huge.rmse);
  CHECK(huge.bins.empty());
  const auto tiny = aggregate::regression(Values{0, 5e-324}, Values{0, 0});
  CHECK(tiny.bins.empty());
  CHECK(aggregate::distribution(Values{1e300, 1e300}, 10).histogram.empty());
}

} // namespace test_regression
