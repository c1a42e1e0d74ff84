#include "rules/model/run_model_rules.h"
#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_similar_across_runs {

using namespace debrief;
using test::not_evaluated;
using test::Steps;
using test::TensorJob;

TEST_CASE("SimilarAcrossRuns needs another job's folder") {
  CHECK(not_evaluated(TensorJob{}.step(0, {{"w", {1}}}), "SimilarAcrossRuns"));
}

TEST_CASE("SimilarAcrossRuns finds the steps at which two jobs differ") {
  const auto before = TensorJob{}.step(0, {{"w", {1}}}).step(1, {{"w", {2}}}).job();
  const auto after =
      TensorJob{}.step(0, {{"w", {1.000001}}}).step(1, {{"w", {2.1}}}).step(2, {{"w", {1}}}).job();
  const result::Result result;
  const aggregate::EventKinds kinds{before.events};
  const rules::RuleInput input{before, kinds, {}, {}, result, &after.tensors, nullptr};
  const auto row = test::row_of(rules::model::run_model_rules(input, {}), "SimilarAcrossRuns");
  CHECK(row.model.steps == Steps{1});
  CHECK(row.datapoints == 2);
}

} // namespace test_similar_across_runs
