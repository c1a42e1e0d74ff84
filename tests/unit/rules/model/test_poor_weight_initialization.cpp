#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_poor_weight_initialization {

using namespace debrief;
using test::fired;
using test::Saved;
using test::Steps;
using test::TensorJob;

TEST_CASE("PoorWeightInitialization compares the variance of layers in the first steps") {
  const auto inputs = [](double first) {
    return std::vector<Saved>{{"a.relu_input_0", {-first, first}}, {"b.relu_input_0", {-1, 1}}};
  };
  TensorJob job;
  job.step(0, inputs(3.1)).step(1, inputs(3.2)).step(2, inputs(5));
  CHECK(fired(job, "PoorWeightInitialization") == Steps{1, 2});
  CHECK(fired(job, "PoorWeightInitialization", {{"steps", "2"}}) == Steps{1});
  CHECK(fired(job, "PoorWeightInitialization", {{"threshold", "11"}}) == Steps{2});
}

TEST_CASE("PoorWeightInitialization finds gradients that are all nearly the same") {
  TensorJob job;
  job.collection("gradients", {"g"});
  job.step(0, {{"g", {0, 0.002}}}).step(1, {{"g", {0, 0.001}}}).step(2, {{"g", {0, std::nan("")}}});
  CHECK(fired(job, "PoorWeightInitialization") == Steps{1}); // 90% of the range
  CHECK(fired(job, "PoorWeightInitialization", {{"distribution_range", "0.0019"}}) == Steps{0, 1});
}

} // namespace test_poor_weight_initialization
