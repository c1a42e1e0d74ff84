#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_overtraining {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("Overtraining waits for a new best") {
  TensorJob job;
  job.collection("losses", {"loss"});
  const std::vector<double> values = {1, 0.995, 0.99, 1, 0.98, 0.97};
  for (std::size_t i = 0; i < values.size(); ++i)
    job.step(static_cast<std::int64_t>(i), {{"loss", {values[i]}}});
  CHECK(fired(job, "Overtraining", {{"patience_train", "3"}}) == Steps{3});
  CHECK(fired(job, "Overtraining", {{"patience_train", "4"}}).empty());
  CHECK(fired(job, "Overtraining", {{"patience_train", "2"}, {"delta", "0.004"}}) == Steps{});
  CHECK(fired(job, "Overtraining", {{"patience_train", "2"}, {"delta", "0.011"}}) == Steps{2, 3});
}

TEST_CASE("Overtraining has a patience for validation") {
  job::Job job;
  job.scalars = {test::logged("eval/loss", {1, 1, 1, 1}), test::logged("train/loss", {4, 3, 2, 1})};
  CHECK(fired(job, "Overtraining", {{"patience_validation", "3"}}) == Steps{3});
  CHECK(fired(job, "Overtraining").empty());
}

} // namespace test_overtraining
