#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_class_imbalance {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Steps;
using test::TensorJob;

TEST_CASE("ClassImbalance compares the largest class with the smallest over all steps so far") {
  TensorJob job;
  std::vector<double> labels(11, 0.0);
  labels.push_back(1); // eleven to one
  job.step(0, {{"labels", labels}, {"predictions", labels}});
  job.step(1, {{"labels", {1}}, {"predictions", {1}}});
  CHECK(fired(job, "ClassImbalance", {{"samples", "12"}}) == Steps{0});
  CHECK(fired(job, "ClassImbalance", {{"samples", "12"}, {"threshold_imbalance", "11"}}).empty());
  CHECK(fired(job, "ClassImbalance", {{"samples", "13"}}).empty());
  CHECK(not_evaluated(job, "ClassImbalance"));
}

TEST_CASE("ClassImbalance finds a class that the model gets wrong") {
  TensorJob job;
  job.step(0, {{"labels", {0, 0, 1, 1}}, {"predictions", {0.1, 0.2, 0.3, 0.9}}});
  job.step(1,
           {{"labels", {0, 0, 1, 1}}, {"predictions", {.9, .1, .9, .1, .9, .1, .9, .1}, {4, 2}}});
  const test::Parameters few = {{"samples", "1"}, {"threshold_misprediction", "0.74"}};
  CHECK(fired(job, "ClassImbalance", few) ==
        Steps{1}); // of class 1: one of two, then three of four
  CHECK(not_evaluated(TensorJob{}.step(0, {{"labels", {0.5, 0.25}}}), "ClassImbalance"));
}

} // namespace test_class_imbalance
