#include "tensor_job.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_vanishing_gradient {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Steps;
using test::TensorJob;

TEST_CASE("VanishingGradient triggers below the threshold, for the tensors that are below it") {
  TensorJob job;
  job.collection("gradients", {"g/a", "g/b"});
  job.step(0, {{"g/a", {1e-7, -1e-7}}, {"g/b", {1}}, {"w", {0}}});
  job.step(10, {{"g/a", {0.9e-7, -0.9e-7}}, {"g/b", {1}}, {"w", {0}}});
  job.step(20, {{"g/a", {std::nan(""), 0}}, {"smdebug/reductions/abs_mean/g/b", {1e-9}}});
  CHECK(fired(job, "VanishingGradient") == Steps{10, 20});
  const auto row = test::outcome(job.job(), "VanishingGradient");
  CHECK(row.status == result::RuleStatus::issue_found);
  CHECK(row.violations == 2);
  CHECK(row.datapoints == 6);
  REQUIRE(row.model.tensors.size() == 2);
  CHECK(row.model.tensors[0].tensor == "g/a");
  CHECK(row.model.tensors[0].steps == Steps{10});
  CHECK(row.model.tensors[0].relation == "below");
  CHECK(std::abs(*row.model.tensors[0].value - 0.9e-7) < 1e-12);
  CHECK(*row.model.tensors[0].threshold == 1e-7);
  CHECK(row.reason.find("step 10") != std::string::npos);
  CHECK(fired(job, "VanishingGradient", {{"threshold", "1e-10"}}).empty());
}

TEST_CASE("VanishingGradient says that no gradients were saved") {
  CHECK(not_evaluated(TensorJob{}.step(0, {{"w", {1}}}), "VanishingGradient"));
}

TEST_CASE("a rule can run under several names with different parameters") {
  TensorJob job;
  job.collection("gradients", {"g"});
  job.step(0, {{"g", {1e-6}}});
  pipeline::AnalyzeOptions options;
  options.rules.set("VanishingGradient:strict_threshold", "1e-5", "the test");
  pipeline::StageClock clock;
  const auto rows = pipeline::analyze(job.job(), options, clock).rules;
  CHECK(test::row_of(rows, "VanishingGradient").status == result::RuleStatus::no_issue);
  CHECK(test::row_of(rows, "VanishingGradient:strict").status == result::RuleStatus::issue_found);
  CHECK_THROWS_AS(options.rules.set("LoadBalancing:x_threshold", "1", "the test"), Error);
  CHECK_THROWS_AS(options.rules.set("DeadRelu:a/b_threshold_layer", "1", "the test"), Error);
  CHECK_THROWS_AS(options.rules.set("DeadRelu:_threshold_layer", "1", "the test"), Error);
}

} // namespace test_vanishing_gradient
