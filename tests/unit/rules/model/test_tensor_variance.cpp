#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_tensor_variance {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("TensorVariance has an upper and a lower limit") {
  TensorJob job;
  job.collection("weights", {"w"});
  job.step(0, {{"w", {-3, 3}}});     // 9
  job.step(1, {{"w", {-3.2, 3.2}}}); // 10.24
  job.step(2, {{"w", {1, 1}}});      // 0
  job.step(3, {{"smdebug/reductions/variance/w", {11}}});
  CHECK(fired(job, "TensorVariance") == Steps{1, 2, 3});
  CHECK(fired(job, "TensorVariance", {{"max_threshold", "None"}}) == Steps{2});
  CHECK(fired(job, "TensorVariance", {{"min_threshold", "None"}, {"max_threshold", "10.5"}}) ==
        Steps{3});
}

} // namespace test_tensor_variance
