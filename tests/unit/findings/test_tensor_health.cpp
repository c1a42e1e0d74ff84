#include "findings/tensor_health.h"
#include "rules/model/tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_tensor_health {

using namespace debrief;
using result::FindingKind;
using test::Saved;
using test::TensorJob;

namespace {

/// Two layers' gradients; one of them vanishes in `steps`, the other one too where `both`.
TensorJob gradients(int vanished_from, int steps, bool both, const std::string& last = "weight") {
  TensorJob job;
  job.collection("gradients", {"gradient/a." + last, "gradient/b.weight", "gradient/c.weight"});
  for (int step = 0; step < steps; ++step) {
    const double small = step >= vanished_from ? 1e-9 : 0.1;
    job.step(step, {{"gradient/a." + last, {small}},
                    {"gradient/b.weight", {both ? small : 0.1}},
                    {"gradient/c.weight", {0.1}}});
  }
  return job;
}

const result::Finding* finding_of(const result::Result& result, FindingKind kind) {
  for (const result::Finding& finding : result.findings)
    if (finding.kind == kind) return &finding;
  return nullptr;
}

bool has(const TensorJob& job, FindingKind kind) {
  return finding_of(test::analyzed(job.job()), kind) != nullptr;
}

} // namespace

TEST_CASE("gradients that vanish up to the end are a finding, at enough saved steps") {
  CHECK(has(gradients(5, 10, false), FindingKind::vanishing_gradients));
  CHECK_FALSE(has(gradients(6, 10, false), FindingKind::vanishing_gradients));
  CHECK_FALSE(has(gradients(0, 10, false, "bias"), FindingKind::vanishing_gradients));
}

TEST_CASE("gradients that come back are none") {
  TensorJob job = gradients(0, 9, false);
  job.step(9, {{"gradient/a.weight", {0.1}}});
  CHECK_FALSE(has(job, FindingKind::vanishing_gradients));
}

TEST_CASE("time is lost only where gradients vanish in most layers") {
  const auto trouble_of = [](const TensorJob& saved) {
    const job::Job job = saved.job();
    return findings::find_tensor_trouble(test::analyzed(job).rules, job.tensors);
  };
  CHECK_FALSE(trouble_of(gradients(3, 10, false)));
  const auto trouble = trouble_of(gradients(3, 10, true));
  REQUIRE(trouble);
  CHECK(trouble->step == 3);
  CHECK(trouble->last_step == 9);
  CHECK(trouble->time == test::at(4)); // a step each second, the first at 1 s
}

TEST_CASE("layers that are dead or saturated up to the end are a finding") {
  TensorJob dead;
  TensorJob revived;
  TensorJob saturated;
  for (int step = 0; step < 5; ++step) {
    dead.step(step, {{"a.relu_output_0", {0, 0, 0, 1}, {1, 4}}});
    revived.step(step, {{"a.relu_output_0", {0, 0, step / 4.0, 1}, {1, 4}}});
    saturated.step(step, {{"a.tanh_input_0", {50, 50, 1}, {1, 3}}});
  }
  CHECK(has(dead, FindingKind::dead_units));
  CHECK_FALSE(has(revived, FindingKind::dead_units));
  CHECK(has(saturated, FindingKind::dead_units));
}

TEST_CASE("an imbalance is a finding where the model fails on a class, too") {
  TensorJob fails;
  TensorJob works;
  std::vector<double> labels(110, 0.0);
  labels.resize(120, 1.0); // eleven to one
  for (int step = 0; step < 10; ++step) {
    fails.step(step, {{"labels", labels}, {"predictions", std::vector<double>(120, 0.0)}});
    works.step(step, {{"labels", labels}, {"predictions", labels}});
  }
  CHECK(has(fails, FindingKind::class_imbalance));
  CHECK_FALSE(has(works, FindingKind::class_imbalance));
}

} // namespace test_tensor_health
