#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_unchanged_tensor {

using namespace debrief;
using test::fired;
using test::Steps;
using test::TensorJob;

TEST_CASE("UnchangedTensor triggers where the last steps are all the same but for rounding") {
  TensorJob job;
  job.collection("losses", {"loss"});
  for (const auto& [step, value] : std::vector<std::pair<int, double>>{
           {0, 1.0}, {1, 0.5}, {4, 0.500004}, {6, 0.5}, {8, 0.51}, {9, 0.51}})
    job.step(step, {{"loss", {value}}, {"w", {1}}});
  CHECK(fired(job, "UnchangedTensor") == Steps{6});
  CHECK(fired(job, "UnchangedTensor", {{"num_steps", "2"}}) == Steps{4, 6, 9});
  CHECK(fired(job, "UnchangedTensor", {{"rtol", "0"}, {"atol", "0"}}).empty());
  CHECK(fired(job, "UnchangedTensor", {{"tensor_regex", "w"}}) == Steps{4, 6, 8, 9});
}

TEST_CASE("NaN is the same as NaN only where that is asked for") {
  TensorJob job;
  job.collection("losses", {"loss"});
  for (int step = 0; step < 3; ++step)
    job.step(step, {{"loss", {std::nan("")}}});
  CHECK(fired(job, "UnchangedTensor").empty());
  CHECK(fired(job, "UnchangedTensor", {{"equal_nan", "true"}}) == Steps{2});
}

} // namespace test_unchanged_tensor
