#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_stalled_training {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Steps;
using test::TensorJob;

TEST_CASE("StalledTrainingRule finds pauses between saved steps") {
  TensorJob job;
  const auto train = job::TensorMode::train;
  job.step(0, {{"w", {1}}}).step(1, {{"w", {1}}}, train, 1800).step(2, {{"w", {1}}}, train, 1801);
  CHECK(fired(job, "StalledTrainingRule") == Steps{2});
  CHECK(fired(job, "StalledTrainingRule", {{"threshold", "1799"}}) == Steps{1, 2});
  CHECK(not_evaluated(TensorJob{}.step(0, {{"w", {1}}}), "StalledTrainingRule"));
}

TEST_CASE("StalledTrainingRule finds pauses in a log, and says where it has no times") {
  job::Job job;
  job.scalars = {test::logged("loss", {3, 2, 1})};
  CHECK(fired(job, "StalledTrainingRule").empty());
  job.scalars[0].times[2] += 1'900'000'000;
  CHECK(fired(job, "StalledTrainingRule") == Steps{2});
  job.scalars[0].times.clear();
  CHECK(test::outcome(job, "StalledTrainingRule").status == result::RuleStatus::not_evaluated);
}

} // namespace test_stalled_training
