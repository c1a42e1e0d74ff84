#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_weight_update_ratio {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Steps;
using test::TensorJob;

TEST_CASE("WeightUpdateRatio compares training steps with the saved step before") {
  TensorJob job;
  job.collection("weights", {"w"});
  job.step(0, {{"w", {1, 1}}});
  job.step(1, {{"w", {1, 1}}}, job::TensorMode::eval); // weights do not move in evaluation
  job.step(2, {{"w", {2, 2}}});
  job.step(3, {{"w", {2, 2}}});
  job.step(4, {{"w", {24, 24}}});
  CHECK(fired(job, "WeightUpdateRatio") == Steps{3, 4});
  CHECK(fired(job, "WeightUpdateRatio", {{"large_threshold", "11"}}) == Steps{3});
  CHECK(fired(job, "WeightUpdateRatio", {{"small_threshold", "0"}}) == Steps{4});
  // Against the step two before: 2 -> 3 is 1 -> 2.
  CHECK(fired(job, "WeightUpdateRatio", {{"num_steps", "3"}}) == Steps{4});
  CHECK(not_evaluated(TensorJob{}.collection("weights", {"w"}).step(0, {{"w", {1}}}),
                      "WeightUpdateRatio"));
}

} // namespace test_weight_update_ratio
