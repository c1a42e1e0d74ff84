#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_saturated_activation {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("SaturatedActivation has a range for tanh and one for sigmoid") {
  TensorJob job;
  job.step(0, {{"a.tanh_input_0", {9.4, -9.4}, {1, 2}}, {"b.sigmoid_input_0", {-22.9}, {1, 1}}});
  job.step(1, {{"a.tanh_input_0", {9.5, -9.5}, {1, 2}}, {"b.sigmoid_input_0", {-22.9}, {1, 1}}});
  job.step(2, {{"a.tanh_input_0", {9.5, 0}, {1, 2}}, {"b.sigmoid_input_0", {-23}, {1, 1}}});
  CHECK(fired(job, "SaturatedActivation") == Steps{1, 2});
  CHECK(fired(job, "SaturatedActivation", {{"threshold_sigmoid_min", "-30"}}) == Steps{1});
  CHECK(fired(job, "SaturatedActivation", {{"threshold_layer", "49"}, {"tensor_regex", "tanh"}}) ==
        Steps{1, 2});
}

} // namespace test_saturated_activation
