#include "rules/model/reduce.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <vector>

namespace test_reduce {

using namespace debrief;
using rules::model::reduce;

namespace {

double reduced(const std::vector<double>& values, std::string_view name) {
  return reduce(values, *job::reduction_of(name)).value();
}

} // namespace

TEST_CASE("every reduction is that of the hook") {
  // By numpy: x = numpy.array([-3, 1, 2, 4]).
  const std::map<std::string, double> expected = {{"min", -3},
                                                  {"max", 4},
                                                  {"mean", 1},
                                                  {"std", std::sqrt(6.5)},
                                                  {"variance", 6.5},
                                                  {"sum", 4},
                                                  {"prod", -24},
                                                  {"l1", 10},
                                                  {"l2", std::sqrt(30)},
                                                  {"abs_min", 1},
                                                  {"abs_max", 4},
                                                  {"abs_mean", 2.5},
                                                  {"abs_std", std::sqrt(1.25)},
                                                  {"abs_variance", 1.25},
                                                  {"abs_sum", 10},
                                                  {"abs_prod", 24},
                                                  {"abs_l1", 10},
                                                  {"abs_l2", std::sqrt(30)}};
  CHECK(job::reduction_names().size() == expected.size());
  for (const auto& [name, value] : expected) {
    INFO(name);
    CHECK(reduced({-3, 1, 2, 4}, name) == Catch::Approx(value));
  }
}

TEST_CASE("no values have no reduction, and NaN stays NaN") {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  CHECK_FALSE(reduce(std::vector<double>{}, job::Reduction::mean));
  CHECK_FALSE(reduce(std::vector<double>{1}, job::Reduction::none));
  for (const std::string_view name : job::reduction_names()) {
    INFO(name);
    CHECK(std::isnan(reduced({1, kNan, 2}, name)));
    CHECK(std::isnan(reduced({kNan, 1, 2}, name)));
  }
}

TEST_CASE("a word that is no reduction is none") {
  CHECK_FALSE(job::reduction_of(""));
  CHECK_FALSE(job::reduction_of("median"));
  CHECK(job::to_string(job::Reduction::abs_mean) == "abs_mean");
}

} // namespace test_reduce
