#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

namespace test_exploding_tensor {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("ExplodingTensor finds NaN and infinity in values and reductions") {
  const double infinity = std::numeric_limits<double>::infinity();
  TensorJob job;
  job.step(0, {{"a", {1, 2}},
               {"smdebug/reductions/variance/b", {std::nan("")}},
               {"smdebug/reductions/min/b", {1}}});
  job.step(1, {{"a", {1, infinity}}});
  job.step(2, {{"a", {1, std::nan("")}}});
  job.step(3, {{"a", {1, 2}}, {"smdebug/reductions/max/b", {-infinity}}});
  CHECK(fired(job, "ExplodingTensor") == Steps{1, 2, 3});
  CHECK(fired(job, "ExplodingTensor", {{"only_nan", "True"}}) == Steps{2});
  CHECK(fired(job, "ExplodingTensor", {{"tensor_regex", "b"}}) == Steps{3});
}

TEST_CASE("ExplodingTensor looks at logged losses, too") {
  job::Job job;
  job.scalars = {test::logged("eval/loss", {1, 1, 1}),
                 test::logged("train/loss", {1, std::nan(""), 2})};
  CHECK(fired(job, "ExplodingTensor") == Steps{1});
  CHECK_FALSE(test::has_row(job, "VanishingGradient"));
}

} // namespace test_exploding_tensor
