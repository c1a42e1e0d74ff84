#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_confusion {

using namespace debrief;
using test::fired;
using test::Saved;
using test::Steps;
using test::TensorJob;

TEST_CASE("Confusion judges what was predicted, class by class") {
  const Saved xgboost{"trees/Node", {0}};
  const std::vector<double> labels = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
  std::vector<double> one_wrong = labels;
  one_wrong[0] = 1; // of three that were called 1, one is 0
  std::vector<double> never = labels;
  never[10] = never[11] = 0;
  TensorJob job;
  job.step(0, {{"labels", labels}, {"predictions", labels}, xgboost});
  job.step(1, {{"labels", labels}, {"predictions", one_wrong}, xgboost});
  job.step(2, {{"labels", labels}, {"predictions", never}, xgboost});
  CHECK(fired(job, "Confusion") == Steps{1, 2});
  CHECK(fired(job, "Confusion", {{"min_diag", "0.66"}, {"max_off_diag", "0.34"}}) == Steps{2});
  CHECK(fired(job, "Confusion", {{"min_diag", "0.66"}, {"max_off_diag", "0.3"}}) == Steps{1, 2});
  CHECK_FALSE(test::has_row(TensorJob{}.step(0, {{"labels", labels}}).job(), "Confusion"));
}

} // namespace test_confusion
