#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_all_zero {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("AllZero triggers from the threshold on") {
  TensorJob job;
  job.step(0, {{"w", {0, 0, 0, 0}}, {"v", {0, 0, 0, 1}}, {"trees/Tree", {0, 0}}});
  job.step(5, {{"w", {0, 0, 0, 1}}, {"v", {1, 1, 1, 1}}});
  CHECK(fired(job, "AllZero") == Steps{0});
  CHECK(fired(job, "AllZero", {{"threshold", "75"}}) == Steps{0, 5});
  CHECK(fired(job, "AllZero", {{"threshold", "75.1"}}) == Steps{0});
  CHECK(fired(job, "AllZero", {{"tensor_regex", "^v$"}}).empty());
}

TEST_CASE(
    "AllZero reads reductions, and leaves out what is zero by nature unless it is asked for") {
  TensorJob job;
  job.step(0, {{"smdebug/reductions/abs_max/w", {0}}, {"trees/Tree", {0}}});
  job.step(1, {{"smdebug/reductions/min/w", {0}}, {"smdebug/reductions/max/w", {1}}});
  CHECK(fired(job, "AllZero") == Steps{0});
  const auto row = test::outcome(job.job(), "AllZero");
  REQUIRE(row.model.tensors.size() == 1);
  CHECK(row.model.tensors.front().tensor == "w");
  CHECK(test::outcome(job.job(), "AllZero", {{"tensor_regex", "trees/"}}).model.tensor_count == 1);
}

} // namespace test_all_zero
