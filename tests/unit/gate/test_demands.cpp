#include "gate/demands.h"
#include "gate/message.h"

#include <catch2/catch_test_macros.hpp>

namespace test_demands {

using namespace debrief;
using namespace debrief::gate;
using result::AssertionStatus;

namespace {

result::Result healthy() {
  result::Result result;
  result.verdict.healthy.emplace();
  result::UsageRow gpu;
  gpu.node = "algo-1";
  gpu.metric = result::Metric::gpu;
  gpu.unit = "%";
  gpu.p50 = 90;
  result.system_usage = {gpu};
  return result;
}

} // namespace

TEST_CASE("a gate passes where nothing failed, and has failures first") {
  Demands demands;
  demands.add_fail_on("step_stalls", "");
  demands.add_require("gpu.p50 >= 95", "");
  demands.add_require("gpu.p50 >= 70", "");
  const result::Gate gate = evaluate(demands, healthy(), nullptr);
  CHECK_FALSE(gate.passed);
  REQUIRE(gate.assertions.size() == 3);
  CHECK(gate.assertions[0].name == "gpu.p50 >= 95");
  CHECK(gate.assertions[0].status == AssertionStatus::failed);
  CHECK(gate.assertions[1].name == "step_stalls");
  CHECK(gate.assertions[2].name == "gpu.p50 >= 70");
  CHECK(gate.baseline.empty());
  demands.require.erase(demands.require.begin());
  CHECK(evaluate(demands, healthy(), nullptr).passed);
}

TEST_CASE("what is demanded twice is tested once") {
  Demands demands;
  CHECK(demands.empty());
  demands.add_fail_on("step_stalls", "");
  demands.add_fail_on("step_stalls", "");
  CHECK(demands.fail_on.size() == 1);
  CHECK_FALSE(demands.empty());
}

TEST_CASE("a job that cannot be diagnosed fails where that is demanded, and the rest is skipped") {
  result::Result undecided = healthy();
  undecided.findings.emplace_back().kind = result::FindingKind::insufficient_data;
  undecided.verdict = {0, {}};
  Demands demands;
  demands.add_fail_on("severity>=critical", "");
  CHECK(test::message_of([&] { evaluate(demands, undecided, nullptr); }) != "no error");
  demands.add_fail_on("insufficient_data", "");
  const result::Gate gate = evaluate(demands, undecided, nullptr);
  CHECK_FALSE(gate.passed);
  CHECK(gate.assertions[0].name == "insufficient_data");
  CHECK(gate.assertions[1].status == AssertionStatus::skipped);
}

} // namespace test_demands
