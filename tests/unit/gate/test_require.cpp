#include "gate/demands.h"
#include "gate/message.h"

#include <catch2/catch_test_macros.hpp>

#include <vector>

namespace test_require {

using namespace debrief;
using namespace debrief::gate;
using result::AssertionStatus;

namespace {

const std::vector<compare::Figure>& figures() {
  static const std::vector<compare::Figure> all = {
      {"gpu.p50", "GPU utilization, median", "%", compare::Better::higher, 63.25, {}, false},
      {"gpu[a < b].p50", "GPU, median", "%", compare::Better::higher, 50, {}, false},
      {"steps.train.p95", "TRAIN step", "s", compare::Better::lower, 0.08, {}, false}};
  return all;
}

result::Assertion outcome(const std::string& text) {
  return evaluate(parse_require(text, "--require " + text), figures());
}

bool passes(const std::string& text) {
  return outcome(text).status == AssertionStatus::passed;
}

std::string refusal(const std::string& text) {
  return test::message_of([&] { outcome(text); });
}

} // namespace

TEST_CASE("every operator holds up to its bound") {
  CHECK(passes("steps.train.p95 <= 0.08"));
  CHECK_FALSE(passes("steps.train.p95 < 0.08"));
  CHECK(passes("steps.train.p95 < 0.0801"));
  CHECK(passes("steps.train.p95 >= 0.08"));
  CHECK_FALSE(passes("steps.train.p95 > 0.08"));
  CHECK(passes("steps.train.p95 > 0.0799"));
  CHECK(passes("steps.train.p95 == 0.08"));
  CHECK_FALSE(passes("steps.train.p95 != 0.08"));
  CHECK(passes("steps.train.p95 <= 80ms"));
}

TEST_CASE("a condition says what was expected and what was found") {
  const result::Assertion failed = outcome(" gpu.p50>=70% ");
  CHECK(failed.kind == "require");
  CHECK(failed.name == "gpu.p50>=70%");
  CHECK(failed.status == AssertionStatus::failed);
  CHECK(failed.expected == "at least 70%");
  CHECK(failed.found == "63.25%");
  CHECK(failed.message == "GPU utilization, median is 63.25%; it has to be at least 70%.");
}

TEST_CASE("what stands in brackets is a name, whatever it holds") {
  CHECK(passes("gpu[a < b].p50 >= 50"));
  CHECK_FALSE(passes("gpu[a < b].p50 > 50"));
}

TEST_CASE("a figure that the job lacks is an error, not a pass") {
  CHECK(refusal("steps.eval.p50 < 3") ==
        "require steps.eval.p50 < 3: this job has no metric steps.eval.p50, which is not a pass; "
        "record the data it needs, or drop this check");
  CHECK(refusal("gpu[c].p50 < 3").find("this job has no metric gpu[c].p50") != std::string::npos);
}

TEST_CASE("a figure that no job has is an error with the nearest") {
  CHECK(refusal("gpu.p51 >= 3") == "--require gpu.p51 >= 3: unknown metric 'gpu.p51' (did you mean "
                                   "'gpu.p50'?); docs/figures.md lists them");
  CHECK(refusal("gpu[algo-1].p51 >= 3").find("did you mean 'gpu.p50'?") != std::string::npos);
}

TEST_CASE("a unit has to be the figure's") {
  CHECK(refusal("gpu.p50 >= 3s") ==
        "require gpu.p50 >= 3s: 's' is not a unit of gpu.p50, which has one of %, pp");
}

TEST_CASE("what is no condition is said to be none") {
  for (const char* text : {"", "gpu.p50", "gpu.p50 >=", ">= 70", "gpu.p50 = 70", "gpu.p50 >= x",
                           "gpu.p50 >= 70 80", "gpu.p50 =< 70", "gpu.p50 >== 70"})
    CHECK(refusal(text).find("not a condition; write a metric") != std::string::npos);
}

TEST_CASE("a scalar that the job lacks is never a pass, whatever it is called") {
  const std::vector<compare::Figure> scalars = {
      {"scalar.eval_loss.min", "eval/loss, min", "", compare::Better::lower, 1.9492, {}, false}};
  const auto tested = [&](const std::string& text) {
    return evaluate(parse_require(text, "--require"), scalars);
  };
  CHECK(tested("scalar.eval_loss.min < 2.1").status == AssertionStatus::passed);
  CHECK(tested("scalar.eval/loss.min < 2.1").status == AssertionStatus::passed);
  CHECK(tested("scalar.eval_loss.min < 1.9").status == AssertionStatus::failed);
  CHECK(tested("scalar.eval_loss.min < 1.9").message ==
        "eval/loss, min is 1.949; it has to be less than 1.9.");
  CHECK(test::message_of([&] { tested("scalar.val_loss.min < 2.1"); }) ==
        "require scalar.val_loss.min < 2.1: this job has no metric scalar.val_loss.min, which is "
        "not a pass; record the data it needs, or drop this check");
  CHECK(test::message_of([&] {
          tested("scalar.eval_loss.p50 < 2.1");
        }).starts_with("--require: unknown metric 'scalar.eval_loss.p50'"));
}

} // namespace test_require
