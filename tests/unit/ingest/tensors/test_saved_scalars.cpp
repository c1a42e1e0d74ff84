#include "ingest/tensors/saved_scalars.h"
#include "rules/model/tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_saved_scalars {

using namespace debrief;
using test::Steps;
using test::TensorJob;

TEST_CASE("losses and metrics among tensors are scalars, by mode") {
  TensorJob saved;
  saved.collection("losses", {"loss"}).collection("metrics", {"accuracy"});
  saved.step(0, {{"loss", {2}}, {"accuracy", {0.5}}, {"w", {1}}, {"scalar/lr", {0.1}}});
  saved.step(1, {{"loss", {1.5}}}, job::TensorMode::eval);
  saved.step(4, {{"loss", {1}}, {"batch", {3}}});
  const auto scalars = ingest::tensors::saved_scalars(saved.job().tensors);
  REQUIRE(scalars.size() == 4);
  CHECK(scalars[0].name == "eval/loss");
  CHECK(scalars[1].name == "train/accuracy");
  CHECK(scalars[2].name == "train/loss");
  CHECK(scalars[2].steps == Steps{0, 4});
  CHECK(scalars[2].values == std::vector<double>{2, 1});
  CHECK(scalars[2].times == std::vector<Microseconds>{test::at(1), test::at(3)});
  CHECK(scalars[3].name == "train/scalar/lr");
}

TEST_CASE("what Keras repeats in evaluation does not count, and XGBoost's names stay") {
  TensorJob keras;
  keras.collection("losses", {"loss"});
  keras.step(0, {{"loss", {2}}});
  keras.step(1, {{"loss", {2}}, {"val_loss", {3}}}, job::TensorMode::eval);
  const auto scalars = ingest::tensors::saved_scalars(keras.job().tensors);
  REQUIRE(scalars.size() == 2);
  CHECK(scalars[0].name == "eval/val_loss");
  CHECK(scalars[1].steps == Steps{0});
  TensorJob xgboost;
  xgboost.collection("losses", {"train-logloss"});
  xgboost.step(0, {{"train-logloss", {1}}, {"labels", {1}}}, job::TensorMode::global);
  REQUIRE(ingest::tensors::saved_scalars(xgboost.job().tensors).size() == 1);
  CHECK(ingest::tensors::saved_scalars(xgboost.job().tensors)[0].name == "train-logloss");
  CHECK(ingest::tensors::saved_scalars({}).empty());
}

} // namespace test_saved_scalars
