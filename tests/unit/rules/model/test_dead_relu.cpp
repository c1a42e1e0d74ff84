#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_dead_relu {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Saved;
using test::Steps;
using test::TensorJob;

TEST_CASE("DeadRelu counts units that are hardly ever active") {
  // Two samples of four units; a unit is dead where no sample activates it.
  const auto layer = [](const std::vector<double>& values) {
    return Saved{"a.relu_output_0", values, {2, 4}};
  };
  TensorJob job;
  job.step(0, {layer({1, 1, 0, 0, 1, 0, 0, 0})}); // two of four
  job.step(1, {layer({1, 0, 0, 0, 0, 0, 0, 0})}); // three
  CHECK(fired(job, "DeadRelu") == Steps{1});
  CHECK(fired(job, "DeadRelu", {{"threshold_layer", "49"}}) == Steps{0, 1});
  CHECK(fired(job, "DeadRelu", {{"threshold_layer", "75"}}).empty());
  // Active for one sample of two: 50%.
  CHECK(fired(job, "DeadRelu", {{"threshold_inactivity", "50"}}) == Steps{1});
  CHECK(fired(job, "DeadRelu", {{"threshold_inactivity", "51"}}) == Steps{0, 1});
  CHECK(not_evaluated(TensorJob{}.step(0, {{"smdebug/reductions/mean/a.relu_output_0", {1}}}),
                      "DeadRelu"));
}

} // namespace test_dead_relu
