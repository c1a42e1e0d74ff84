#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_loss_not_decreasing {

using namespace debrief;
using test::fired;
using test::Saved;
using test::Steps;
using test::TensorJob;

namespace {

TensorJob losses(const std::vector<double>& values, std::int64_t every) {
  TensorJob job;
  job.collection("losses", {"loss"});
  for (std::size_t i = 0; i < values.size(); ++i)
    job.step(static_cast<std::int64_t>(i) * every, {{"loss", {values[i]}}});
  return job;
}

} // namespace

TEST_CASE("LossNotDecreasing compares with the saved step that is at least num_steps behind") {
  // Saved every 3 steps: checks are at 12 (against 0) and 24 (against 12).
  const auto job = losses({10, 10, 10, 10, 9.98, 9, 8, 7, 9.95, 1}, 3);
  CHECK(fired(job, "LossNotDecreasing", {{"diff_percent", "0.19"}}).empty());
  CHECK(fired(job, "LossNotDecreasing", {{"diff_percent", "0.21"}}) == Steps{12});
  CHECK(fired(job, "LossNotDecreasing", {{"diff_percent", "0.31"}}) == Steps{12, 24});
}

TEST_CASE("a loss that rises, or is NaN, did not fall") {
  const auto row = test::outcome(losses({1, 1.06, std::nan(""), 5}, 10).job(), "LossNotDecreasing");
  CHECK(row.model.steps == Steps{10, 20}); // after NaN, 5 is better
  REQUIRE(row.model.tensors.size() == 2);
  CHECK(row.model.tensors[0].condition == "percentage by which the loss rose");
  CHECK_FALSE(row.model.tensors[1].value);
}

TEST_CASE("LossNotDecreasing looks at logged losses of one mode or of all") {
  job::Job job;
  job.scalars = {test::logged("eval_loss", {1, 1}, 10), test::logged("loss", {1, 0.5}, 10)};
  CHECK(fired(job, "LossNotDecreasing", {{"diff_percent", "0.2"}}) == Steps{10});
  CHECK(fired(job, "LossNotDecreasing", {{"mode", "TRAIN"}}).empty());
  CHECK_FALSE(test::has_row(job::Job{}, "LossNotDecreasing"));
  job.scalars = {test::logged("lr", {1, 1}, 10)};
  CHECK_FALSE(test::has_row(job, "LossNotDecreasing"));
}

TEST_CASE("with SageMaker's defaults, noise of logged losses is no issue") {
  job::Job job;
  job.scalars = {test::logged("loss", {1, 1.01, 0.5}, 10)};
  const auto row = test::outcome(job, "LossNotDecreasing");
  CHECK(row.status == result::RuleStatus::no_issue);
  CHECK(row.triggered == 0);
  CHECK(row.violations == 1);
  CHECK(row.reason.starts_with("1 of 2 checks failed, which is within noise."));
  CHECK(test::outcome(job, "LossNotDecreasing", {{"diff_percent", "0.2"}}).status ==
        result::RuleStatus::issue_found);
  // Saved tensors are looked at as SageMaker does.
  CHECK(fired(losses({1, 1.01, 0.5}, 10), "LossNotDecreasing") == Steps{10});
}

} // namespace test_loss_not_decreasing
