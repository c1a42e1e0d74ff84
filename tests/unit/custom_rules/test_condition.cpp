#include "custom_rules/condition.h"
#include "gate/message.h"

#include <catch2/catch_test_macros.hpp>

namespace test_condition {

using namespace debrief;
using namespace debrief::custom_rules;

namespace {

Condition parsed(const std::string& text) {
  return parse_condition(text, "c");
}

std::string refusal(const std::string& text) {
  return test::message_of([&] { parsed(text); });
}

bool says(const std::string& text, const std::string& words) {
  return refusal(text).starts_with("c: ") && refusal(text).find(words) != std::string::npos;
}

} // namespace

TEST_CASE("a condition on a series has a statistic, a bound and a time") {
  const Condition condition = parsed(" gpu.util.p50 < 30% for 5min ");
  CHECK(condition.text == "gpu.util.p50 < 30% for 5min");
  CHECK(condition.subject == Subject::series);
  CHECK(condition.name == "gpu.util");
  CHECK(condition.statistic->name == "p50");
  CHECK(condition.statistic->share == 0.5);
  CHECK(condition.op == gate::Operator::less);
  CHECK(condition.value.number == 30);
  CHECK(condition.duration == 5 * kMinute);
  CHECK(parsed("gpu.util.mean > 1 for 1s").statistic->share == std::nullopt);
  CHECK(parsed("gpu.util.min > 1 for 1s").statistic->share == 0.0);
  CHECK(parsed("gpu.util.max > 1 for 1 s").statistic->share == 1.0);
  CHECK(parsed("gpu.util.p5 > 1 for 500 ms").duration == kSecond / 2);
}

TEST_CASE("a series without a statistic may do without a time") {
  CHECK(parsed("core.util > 95 for 10s").duration == 10 * kSecond);
  CHECK(parsed("core.util > 95").duration == 0);
  CHECK_FALSE(parsed("cpu.memory > 95").statistic);
  CHECK(parsed("network.total > 2MB/s").value.unit == "MB/s");
}

TEST_CASE("a series can be of one place, and of any name that its recorder has") {
  CHECK(parsed("gpu[algo-1/gpu*].util.p95 < 5 for 1min").place == "algo-1/gpu*");
  CHECK(parsed("gpu[algo-1/gpu*].util.p95 < 5 for 1min").name == "gpu.util");
  const Condition power = parsed("metric.GPUPowerWatts.p95 > 650 for 1min");
  CHECK(power.name == "metric.GPUPowerWatts");
  CHECK(power.statistic->name == "p95");
  CHECK_FALSE(parsed("metric.GPU*Celsius > 85").statistic);
  CHECK(parsed("metric.p95 > 85").name == "metric.p95");
}

TEST_CASE("a condition on tensors has a pattern, a reduction and steps") {
  const Condition condition = parsed("gradient/*.abs_mean > 10 for 3 steps");
  CHECK(condition.subject == Subject::tensor);
  CHECK(condition.name == "gradient/*");
  CHECK(condition.reduction == job::Reduction::abs_mean);
  CHECK(condition.steps == 3);
  CHECK(parsed("tensor.CrossEntropyLoss_output_0.mean > 1e3").name == "CrossEntropyLoss_output_0");
  CHECK(parsed("gradient/fc.bias.l2 > 1 for 1 step").name == "gradient/fc.bias");
  CHECK(parsed("*.max > 1").steps == 1);
}

TEST_CASE("a condition on a scalar has steps, or is one of its metrics") {
  const Condition loss = parsed("scalar.eval/Loss > 5 for 2 steps");
  CHECK(loss.subject == Subject::scalar);
  CHECK(loss.name == "eval_loss");
  CHECK(loss.steps == 2);
  CHECK(parsed("scalar.train/loss > 5").name == "loss");
  CHECK(parsed("scalar.*Loss > 5").name == "*loss");
  CHECK(parsed("scalar.*.min > 5").subject == Subject::scalar);
  CHECK(parsed("scalar.loss.min > 5").subject == Subject::metric);
}

TEST_CASE("what --require knows is a metric of the whole job") {
  CHECK(parsed("waste.lost_percent > 40").subject == Subject::metric);
  CHECK(parsed("gpu.p50 < 70%").name == "gpu.p50");
  CHECK(parsed("gpu[algo-1].p50 < 70").name == "gpu[algo-1].p50");
  CHECK(parsed("steps.train.p95 > 80ms").value.unit == "ms");
}

TEST_CASE("what is no condition is one sentence") {
  CHECK(says("", "not a condition"));
  CHECK(says("gpu.util", "not a condition"));
  CHECK(says("gpu.util < low", "not a condition"));
  CHECK(says("gpu.util < 5 for", "'' says neither how many steps nor how long"));
  CHECK(says("gpu.utl < 5", "did you mean 'gpu.util'?"));
  CHECK(says("gpu.utl.p50 < 5 for 1min", "did you mean 'gpu.util'?"));
  CHECK(says("waste.lost_pecent > 5", "did you mean 'waste.lost_percent'?"));
  CHECK(says("loss > 5", "unknown metric, series, scalar or tensor 'loss'"));
  CHECK(says("scalar. > 5", "unknown metric"));
}

TEST_CASE("a time or a number of steps fits the subject") {
  CHECK(says("gpu.util < 5 for 3 steps", "is sampled over time"));
  CHECK(says("gpu.util.p50 < 5", "write 'for 5min'"));
  CHECK(says("gradient/*.max > 5 for 3s", "has values at steps"));
  CHECK(says("scalar.loss > 5 for 3s", "has values at steps"));
  CHECK(says("gpu.p50 < 5 for 5min", "one number of the whole job"));
  CHECK(says("gpu.util < 5 for 5", "neither how many steps nor how long"));
  CHECK(says("gpu.util < 5 for ever", "neither how many steps nor how long"));
  CHECK(says("gpu.util < 5 for 0s", "neither how many steps nor how long"));
  CHECK(says("scalar.loss > 5 for 0 steps", "neither how many steps nor how long"));
  CHECK(says("scalar.loss > 5 for 1.5 steps", "neither how many steps nor how long"));
  CHECK(says("gpu.util < 5 for 721h", "longer than 30 days"));
  CHECK(parsed("gpu.util < 5 for 720h").duration == 720 * kHour);
}

TEST_CASE("a unit fits the subject") {
  CHECK(says("gpu.util < 5ms", "'ms' is not a unit of gpu.util"));
  CHECK(says("gradient/*.max > 5%", "'%' is not a unit"));
  CHECK(says("scalar.loss > 5s", "'s' is not a unit"));
  CHECK(says("gpu.p50 < 5ms", "'ms' is not a unit"));
}

TEST_CASE("what stands after a tensor's last dot is a reduction") {
  CHECK(says("gradient/*.absmean > 5", "did you mean 'abs_mean'?"));
  CHECK(says("gradient/* > 5", "is not a reduction"));
  CHECK(says("tensor.max > 5", "is not a reduction"));
}

} // namespace test_condition
