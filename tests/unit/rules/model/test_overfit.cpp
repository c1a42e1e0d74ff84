#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_overfit {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("Overfit compares each validation with the training loss before it") {
  TensorJob job;
  job.collection("losses", {"loss"});
  const auto eval = job::TensorMode::eval;
  job.step(0, {{"loss", {1}}}).step(1, {{"loss", {1.09}}}, eval);
  job.step(2, {{"loss", {0.5}}}).step(3, {{"loss", {0.56}}}, eval).step(4, {{"loss", {0.6}}}, eval);
  CHECK(fired(job, "Overfit") == Steps{3, 4});
  CHECK(fired(job, "Overfit", {{"patience", "2"}}) == Steps{4});
  CHECK(fired(job, "Overfit", {{"start_step", "4"}}) == Steps{4});
  CHECK(fired(job, "Overfit", {{"ratio_threshold", "0.21"}}).empty());
}

TEST_CASE("Overfit knows XGBoost's and Keras' names, and logged losses") {
  TensorJob xgboost;
  xgboost.collection("losses", {"train-rmse", "validation-rmse"});
  xgboost.step(0, {{"train-rmse", {0}}, {"validation-rmse", {1}}}, job::TensorMode::global);
  CHECK(fired(xgboost, "Overfit") == Steps{0});
  TensorJob keras;
  keras.collection("losses", {"loss"});
  keras.step(0, {{"loss", {1}}});
  keras.step(1, {{"loss", {1}}, {"val_loss", {2}}}, job::TensorMode::eval);
  CHECK(fired(keras, "Overfit") == Steps{1});
  job::Job job;
  job.scalars = {test::logged("eval/loss", {1, 2}), test::logged("train/loss", {1, 1})};
  CHECK(fired(job, "Overfit").empty()); // noise
  CHECK(fired(job, "Overfit", {{"ratio_threshold", "0.2"}}) == Steps{1});
  job.scalars.erase(job.scalars.begin());
  CHECK(test::outcome(job, "Overfit").status == result::RuleStatus::not_evaluated);
}

} // namespace test_overfit
