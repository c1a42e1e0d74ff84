#include "rules/model/run_model_rules.h"
#include "rules/model/tensor_job.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <optional>
#include <vector>

namespace test_tensor_courses {

using namespace debrief;
using Values = std::vector<std::optional<double>>;

namespace {

result::Model model_of(const test::TensorJob& saved) {
  const job::Job job = saved.job();
  const result::Result result;
  const aggregate::EventKinds kinds{job.events};
  result::Model model;
  rules::RuleInput input{job, kinds, {}, {}, result};
  input.model = &model;
  rules::model::run_model_rules(input, {});
  return model;
}

} // namespace

TEST_CASE("a tensor's course has least, mean and greatest of its finite values") {
  test::TensorJob job;
  job.collection("weights", {"fc.weight"}).collection("losses", {"loss"});
  job.step(0, {{"fc.weight", {1, 2, 6}}, {"loss", {3}}});
  job.step(5, {{"fc.weight", {NAN, -1, 1}}, {"loss", {2}}});
  job.step(9, {{"fc.weight", {NAN, NAN, NAN}}, {"loss", {1}}});
  const result::Model model = model_of(job);
  REQUIRE(model.tensors.size() == 1); // losses are curves
  const result::TensorCourse& course = model.tensors[0];
  CHECK(course.collection == "weights");
  CHECK(course.tensor == "fc.weight");
  CHECK(course.steps == std::vector<std::int64_t>{0, 5, 9});
  CHECK(course.min == Values{1, -1, std::nullopt});
  CHECK(course.mean == Values{3, 0, std::nullopt});
  CHECK(course.max == Values{6, 1, std::nullopt});
}

TEST_CASE("reductions are enough, and a tensor of one step has no course") {
  test::TensorJob job;
  job.collection("gradients", {"gradient/a", "gradient/b"});
  for (const std::int64_t step : {0, 1})
    job.step(step, {{"smdebug/reductions/min/gradient/a", {-2}},
                    {"smdebug/reductions/mean/gradient/a", {0.5}},
                    {"smdebug/reductions/max/gradient/a", {4}}});
  job.step(2, {{"gradient/b", {1, 2}}});
  const result::Model model = model_of(job);
  REQUIRE(model.tensors.size() == 1);
  CHECK(model.tensors[0].tensor == "gradient/a");
  CHECK(model.tensors[0].mean == Values{0.5, 0.5});
}

TEST_CASE("long courses are thinned without losing their ends") {
  test::TensorJob job;
  job.collection("weights", {"w"});
  for (std::int64_t step = 0; step < 500; ++step)
    job.step(step, {{"w", {static_cast<double>(step), step == 123 ? 1e6 : 0}}});
  const result::Model model = model_of(job);
  REQUIRE(model.tensors.size() == 1);
  const result::TensorCourse& course = model.tensors[0];
  CHECK(course.steps.size() <= result::kMaxCoursePoints);
  CHECK(course.steps.size() > result::kMaxCoursePoints / 2);
  double greatest = 0;
  for (const auto& value : course.max)
    greatest = std::max(greatest, value.value_or(0));
  CHECK(greatest == 1e6);
}

TEST_CASE("rules that look at layers leave what they compare") {
  test::TensorJob job;
  job.collection("gradients", {"gradient/a"}).collection("weights", {"a"});
  job.step(0, {{"gradient/a", {1e-9, -1e-9}}, {"a", {1, 1}}});
  job.step(1, {{"gradient/a", {0.5, -1.5}}, {"a", {1.5, 1}}});
  const result::Model model = model_of(job);
  REQUIRE(model.measures.size() == 2);
  CHECK(model.measures[0].rule == "VanishingGradient");
  CHECK(model.measures[0].layers[0].values[0].value() == Catch::Approx(1e-9));
  CHECK(model.measures[0].layers[0].values[1] == 1);
  CHECK(model.measures[1].rule == "WeightUpdateRatio");
  CHECK(model.measures[1].steps == std::vector<std::int64_t>{1});
  CHECK(model.measures[1].layers[0].values[0].value() == Catch::Approx(0.25)); // 0.5 of 2
}

} // namespace test_tensor_courses
