#include "aggregate/sm_activity.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_sm_activity {

using namespace debrief;
using namespace debrief::test;
using Catch::Matchers::WithinAbs;

namespace {

const job::MetricName kSmActive = {"gpu", "gpu0", "GPUSMActivePercent"};
const job::MetricName kTensor = {"gpu", "gpu0", "GPUTensorActivePercent"};

job::Job sampled() {
  job::Job job;
  // The recorder has no SM activity of its first sample.
  job.metrics.push_back(series("algo-1", gpu(0), {0, 1, 2, 3, 4}, {10, 80, 90, 100, 0}));
  job.metrics.push_back(series("algo-1", kSmActive, {1, 2, 3, 4}, {8, 9, 13, 0}));
  return job;
}

} // namespace

TEST_CASE("SM activity is the mean of samples that have both, over the whole job") {
  const auto rows = aggregate::sm_activity(sampled(), {});
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].device == "gpu0");
  CHECK(rows[0].samples == 4);
  CHECK_THAT(rows[0].utilization, WithinAbs(67.5, 1e-9));
  CHECK_THAT(rows[0].sm_active, WithinAbs(7.5, 1e-9));
  CHECK_FALSE(rows[0].tensor_active);
}

TEST_CASE("SM activity is that of the training loop, where one is known and was sampled") {
  job::Job job = sampled();
  job.metrics.push_back(series("algo-1", kTensor, {1, 2, 3, 4}, {2, 4, 6, 8}));
  result::JobSummary summary;
  summary.training_loop_start = at(1);
  summary.training_loop_end = at(3);
  auto rows = aggregate::sm_activity(job, summary);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].samples == 3);
  CHECK_THAT(rows[0].utilization, WithinAbs(90, 1e-9));
  CHECK_THAT(rows[0].sm_active, WithinAbs(10, 1e-9));
  CHECK_THAT(rows[0].tensor_active.value(), WithinAbs(4, 1e-9));
  summary.training_loop_start = at(10);
  summary.training_loop_end = at(20);
  CHECK(aggregate::sm_activity(job, summary).at(0).samples == 4);
}

TEST_CASE("a GPU without one of both has no row") {
  job::Job only_busy;
  only_busy.metrics.push_back(series("algo-1", gpu(0), {0, 1}, {10, 80}));
  CHECK(aggregate::sm_activity(only_busy, {}).empty());
  job::Job only_active;
  only_active.metrics.push_back(series("algo-1", kSmActive, {0, 1}, {10, 80}));
  CHECK(aggregate::sm_activity(only_active, {}).empty());
}

} // namespace test_sm_activity
