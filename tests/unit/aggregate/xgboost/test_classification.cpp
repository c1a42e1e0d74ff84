#include "aggregate/xgboost/classification.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_classification {

using namespace debrief;
using Catch::Approx;
using Classes = std::vector<std::int64_t>;

TEST_CASE("classification: a matrix of labels against predictions, and averages over classes") {
  const Classes labels = {0, 0, 0, 1, 1, 2};
  const Classes predicted = {0, 0, 1, 1, 0, 2};
  const auto found = aggregate::classification(labels, predicted);
  CHECK(found.matrix == std::vector<std::vector<std::int64_t>>{{2, 1, 0}, {1, 1, 0}, {0, 0, 1}});
  CHECK(found.accuracy == Approx(4.0 / 6));
  CHECK(found.classes[0].precision == Approx(2.0 / 3));
  CHECK(found.classes[1].recall == Approx(0.5));
  CHECK(found.micro.f1 == found.accuracy);
  CHECK(found.macro.recall == Approx((2.0 / 3 + 0.5 + 1) / 3));
  CHECK(found.weighted.recall == Approx(4.0 / 6));
  REQUIRE(found.mistakes.size() == 2);
  CHECK(found.mistakes[0].label == 0);
  CHECK(found.mistakes[0].predicted == 1);
}

TEST_CASE("classification: what is undefined for a class is absent, and counts as 0 in averages") {
  // Class 1 is never predicted; class 5 is predicted and no label is of it.
  const auto found = aggregate::classification(Classes{0, 0, 1}, Classes{0, 5, 0});
  REQUIRE(found.classes.size() == 3);
  CHECK_FALSE(found.classes[1].precision);
  CHECK(found.classes[1].recall == 0.0);
  CHECK(found.classes[2].label == 5);
  CHECK_FALSE(found.classes[2].recall);
  CHECK(found.classes[2].f1 == 0.0);
  CHECK(found.macro.precision == Approx(0.5 / 3));
}

TEST_CASE("classification: probabilities of classes, a threshold, and classes as they are") {
  CHECK(aggregate::most_likely(std::vector<double>{0.2, 0.5, 0.3, 0.4, 0.4, 0.2}, 3) ==
        Classes{1, 0});
  CHECK(aggregate::above_threshold(std::vector<double>{0.5, 0.51, 0.1}, 0.5) == Classes{0, 1, 0});
  CHECK(aggregate::are_classes(std::vector<double>{0, 3, 7}));
  CHECK_FALSE(aggregate::are_classes(std::vector<double>{0, 0.5}));
  CHECK_FALSE(aggregate::are_classes(std::vector<double>{1e12}));
  CHECK(aggregate::distinct_classes(std::vector<double>{3, 1, 3}, 2) == Classes{1, 3});
  CHECK_FALSE(aggregate::distinct_classes(std::vector<double>{3, 1, 2}, 2));
}

TEST_CASE("classification: recall of chosen classes") {
  const auto found = aggregate::recalls(Classes{0, 2, 9}, Classes{0, 0, 1, 2}, Classes{0, 1, 1, 2});
  CHECK(found == std::vector<std::optional<double>>{0.5, 1.0, std::nullopt});
}

TEST_CASE("classification: many classes have no matrix") {
  Classes labels;
  for (std::int64_t i = 0; i < 60; ++i)
    labels.push_back(i);
  Classes predicted = labels;
  predicted[0] = 1;
  const auto found = aggregate::classification(labels, predicted);
  CHECK(found.matrix.empty());
  CHECK(found.classes.size() == 60);
  CHECK(found.mistakes.size() == 1);
}

} // namespace test_classification
