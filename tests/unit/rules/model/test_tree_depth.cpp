#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_tree_depth {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("TreeDepth is by the number of the last node") {
  TensorJob job;
  job.step(0, {{"trees/Node", {0, 1, 31}}});
  job.step(1, {{"trees/Node", {0, 1, 32}}});
  job.step(2, {{"trees/Node", {0}}});
  CHECK(fired(job, "TreeDepth") == Steps{1});
  CHECK(fired(job, "TreeDepth", {{"depth", "5"}}).empty());
  CHECK(fired(job, "TreeDepth", {{"depth", "3"}}) == Steps{0, 1});
  CHECK_FALSE(test::has_row(job.job(), "DeadRelu"));
}

} // namespace test_tree_depth
