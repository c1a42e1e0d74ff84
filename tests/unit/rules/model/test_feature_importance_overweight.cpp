#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_feature_importance_overweight {

using namespace debrief;
using test::fired;
using test::Saved;
using test::Steps;
using test::TensorJob;

TEST_CASE("FeatureImportanceOverweight sums the largest features") {
  const auto weights = [](double a, double b, double c, double d) {
    const std::string name = "feature_importance/weight/";
    return std::vector<Saved>{{name + "a", {a}},
                              {name + "b", {b}},
                              {name + "c", {c}},
                              {name + "d", {d}},
                              {"feature_importance/gain/a", {100}}};
  };
  TensorJob job;
  job.step(0, weights(0.2, 0.3, 0.2, 0.3));
  job.step(1, weights(0.1, 0.15, 0.5, 0.25));
  CHECK(fired(job, "FeatureImportanceOverweight") == Steps{1});
  CHECK(fired(job, "FeatureImportanceOverweight", {{"threshold", "0.91"}}).empty());
  CHECK(fired(job, "FeatureImportanceOverweight", {{"nfeatures", "4"}}) == Steps{0, 1});
  CHECK(test::outcome(job.job(), "FeatureImportanceOverweight").model.tensors.front().tensor ==
        "feature_importance/weight/c");
}

} // namespace test_feature_importance_overweight
