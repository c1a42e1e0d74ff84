// Conditions on scalars and on tensors: both go step by step.
#include "custom_rules/judged.h"

#include <limits>

namespace test_judge_steps {

using namespace debrief;
using test::judged;
using test::Steps;
using test::triggers;
using test::unjudged;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

job::Job logged(const std::vector<double>& values) {
  job::Job job;
  job.scalars.push_back(test::logged("train/loss", values, 10));
  return job;
}

job::Job saved(const std::vector<double>& values, const std::string& name = "gradient/fc") {
  test::TensorJob job;
  for (std::size_t i = 0; i < values.size(); ++i)
    job.step(static_cast<std::int64_t>(i), {{name, {values[i]}}});
  return job.job();
}

} // namespace

TEST_CASE("a condition on a scalar is true from the last of its steps in a row") {
  const result::RuleRow row =
      judged(logged({1, 6, 6, 1, 6, 6, 6, 6}), "scalar.loss > 5 for 3 steps");
  CHECK(row.model.steps == Steps{60, 70});
  CHECK(row.triggered == 2);
  CHECK(row.datapoints == 8);
  CHECK(row.model.tensors.at(0).tensor == "train/loss");
  CHECK(row.model.tensors[0].value == 6.0);
  CHECK(row.model.tensors[0].threshold == 5.0);
  CHECK(row.reason == "triggered at 2 steps, first at step 60. In train/loss the value was 6 "
                      "(more than 5)");
}

TEST_CASE("one step fewer than the condition has, or a value at the bound, is not enough") {
  CHECK_FALSE(triggers(logged({1, 6, 6, 1}), "scalar.loss > 5 for 3 steps"));
  CHECK(triggers(logged({1, 6, 6, 1}), "scalar.loss > 5 for 2 steps"));
  CHECK_FALSE(triggers(logged({6, 6}), "scalar.loss > 6"));
  CHECK(triggers(logged({6, 6}), "scalar.loss >= 6"));
}

TEST_CASE("NaN breaks a row of steps and is never compared") {
  const result::RuleRow row = judged(logged({6, kNan, 6, 6}), "scalar.loss > 5 for 2 steps");
  CHECK(row.model.steps == Steps{30});
  CHECK(row.datapoints == 3);
  CHECK(row.reason.ends_with("1 value not compared, since NaN"));
  CHECK(unjudged(logged({kNan, kNan}), "scalar.loss != 5") == "all values (2) are NaN");
}

TEST_CASE("a pattern is of all scalars that match") {
  job::Job job = logged({1, 1});
  job.scalars.push_back(test::logged("Eval/Loss", {1, 9}));
  CHECK(judged(job, "scalar.*loss > 5").model.tensors.at(0).tensor == "Eval/Loss");
  CHECK_FALSE(triggers(job, "scalar.loss > 5"));
  CHECK(triggers(job, "scalar.eval_loss > 5"));
}

TEST_CASE("scalars that were not logged, or too few, are not judged") {
  CHECK(unjudged(job::Job{}, "scalar.loss > 5") == "the job logged no scalars");
  CHECK(unjudged(logged({1}), "scalar.lr > 5") == "no scalar that was logged matches 'lr'");
  CHECK(unjudged(logged({9, 9}), "scalar.loss > 5 for 3 steps") ==
        "2 values logged, and the condition needs 3");
  CHECK(unjudged(logged({9, 9}), "scalar.loss > 5 for 2 steps").empty());
}

TEST_CASE("a condition on tensors is of each that matches") {
  test::TensorJob tensors;
  for (std::int64_t step = 0; step < 4; ++step)
    tensors.step(step, {{"gradient/a", {1, -1}}, {"gradient/b", {20, -10}}, {"weight", {99}}});
  const result::RuleRow row = judged(tensors.job(), "gradient/*.abs_mean > 10 for 3 steps");
  CHECK(row.model.steps == Steps{2, 3});
  CHECK(row.model.tensors.size() == 1);
  CHECK(row.model.tensors[0].tensor == "gradient/b");
  CHECK(row.model.tensors[0].value == 15.0);
  CHECK(row.model.tensors[0].condition == "abs_mean");
  CHECK(row.model.tensors[0].relation == "more than");
  CHECK_FALSE(triggers(tensors.job(), "gradient/*.abs_mean > 15 for 3 steps"));
  CHECK(triggers(tensors.job(), "gradient/*.abs_mean >= 15 for 4 steps"));
}

TEST_CASE("a reduction that was saved is taken where the tensor was not") {
  const job::Job job = saved({12, 12}, "smdebug/reductions/abs_mean/gradient/fc");
  CHECK(triggers(job, "gradient/*.abs_mean > 10 for 2 steps"));
  CHECK(unjudged(job, "gradient/*.max > 10") ==
        "max of the tensors that match 'gradient/*' was not saved");
}

TEST_CASE("workers have rows of steps apart from each other") {
  test::TensorJob job;
  for (std::int64_t step = 0; step < 4; ++step) {
    job.step(step, {{"g/x", {step < 2 ? 20.0 : 0.0}}}, job::TensorMode::train, 1, "worker_0");
    job.step(step, {{"g/x", {step < 2 ? 0.0 : 20.0}}}, job::TensorMode::train, 0, "worker_1");
  }
  CHECK_FALSE(triggers(job.job(), "g/*.max > 10 for 3 steps"));
  CHECK(judged(job.job(), "g/*.max > 10 for 2 steps").model.tensors.size() == 2);
}

TEST_CASE("tensors that were not saved, or at too few steps, are not judged") {
  CHECK(unjudged(job::Job{}, "g/*.max > 1") == "the job saved no tensors (debug-output)");
  CHECK(unjudged(saved({1}), "bias/*.max > 1") == "no saved tensor matches 'bias/*'");
  CHECK(unjudged(saved({9, 9}), "gradient/*.max > 1 for 3 steps") ==
        "2 steps saved, and the condition needs 3");
  CHECK(unjudged(saved({kNan}), "gradient/*.max > 1") == "all values (1) are NaN");
}

} // namespace test_judge_steps
