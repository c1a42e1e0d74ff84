#include "aggregate/xgboost/roc.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_roc_curve {

using namespace debrief;
using Catch::Approx;

TEST_CASE("roc: scikit-learn's example") {
  // sklearn.metrics.roc_auc_score([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]) == 0.75
  const auto roc = aggregate::roc_curve(std::vector<std::int64_t>{0, 0, 1, 1},
                                        std::vector<double>{0.1, 0.4, 0.35, 0.8}, 0.5);
  REQUIRE(roc);
  CHECK(roc->auc == Approx(0.75));
  CHECK(roc->positives == 2);
  CHECK(roc->points.front().threshold == std::nullopt);
  CHECK(roc->points.back().false_positives == 1);
  CHECK(roc->used.true_positives == Approx(0.5));
  CHECK(roc->used.false_positives == 0);
  CHECK(roc->used.threshold == 0.5);
  CHECK(roc->best.threshold == 0.8);
}

TEST_CASE("roc: equal scores are one step, whatever the order of rows") {
  const auto one = aggregate::roc_curve(std::vector<std::int64_t>{1, 0, 1, 0},
                                        std::vector<double>{0.5, 0.5, 0.5, 0.5}, 0.5);
  const auto other = aggregate::roc_curve(std::vector<std::int64_t>{0, 0, 1, 1},
                                          std::vector<double>{0.5, 0.5, 0.5, 0.5}, 0.5);
  REQUIRE(one);
  REQUIRE(other);
  CHECK(one->auc == 0.5);
  CHECK(other->auc == 0.5);
  CHECK(one->points.size() == 2);
  CHECK(one->used.true_positives == 0); // none is above the threshold
  CHECK_FALSE(one->best.threshold);     // no threshold is better than chance
}

TEST_CASE("roc: labels of one class have no curve") {
  CHECK_FALSE(
      aggregate::roc_curve(std::vector<std::int64_t>{1, 1}, std::vector<double>{0.1, 0.2}, 0.5));
  CHECK_FALSE(
      aggregate::roc_curve(std::vector<std::int64_t>{0, 0}, std::vector<double>{0.1, 0.2}, 0.5));
  CHECK_FALSE(aggregate::roc_curve(std::vector<std::int64_t>{}, std::vector<double>{}, 0.5));
}

TEST_CASE("roc: a few hundred points stand for any number of rows") {
  std::vector<std::int64_t> labels;
  std::vector<double> scores;
  double state = 0.5;
  for (int i = 0; i < 100'000; ++i) {
    state = 3.99 * state * (1 - state); // no pattern that lines could follow
    scores.push_back(state);
    labels.push_back(i % 3 == 0 || state > 0.7 ? 1 : 0);
  }
  const auto roc = aggregate::roc_curve(labels, scores, 0.5);
  REQUIRE(roc);
  CHECK(roc->points.size() <= 402);
  double area = 0; // of the points alone
  for (std::size_t i = 1; i < roc->points.size(); ++i)
    area += (roc->points[i].false_positives - roc->points[i - 1].false_positives) *
            (roc->points[i].true_positives + roc->points[i - 1].true_positives) / 2;
  CHECK(area == Approx(roc->auc).margin(2e-4));
}

} // namespace test_roc_curve
