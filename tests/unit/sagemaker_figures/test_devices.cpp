#include "aggregate/usage.h"
#include "sagemaker_figures/breaks.h"
#include "sagemaker_figures/figures.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_devices {

using namespace debrief;

namespace {

constexpr const char* kLow = R"({"algo-1": {"gpu0": {"gpu_max": 91, "gpu_95": 87, "gpu_5": 0,
  "p25": 10, "p50": 20, "p75": 30, "p95": 85, "upper": 60, "lower": 0}},
  "last_timestamp": 1671186660000000})";
constexpr const char* kBatch = R"({"algo-1": {
  "cpu": {"p25": 1, "p50": 2, "p75": 3, "p95": 4, "upper": 6, "lower": 0},
  "gpu1": {"p25": 1, "p50": 2, "p75": 3, "p95": 4, "upper": 6, "lower": 0},
  "gpu1_memory": {"p25": 20, "p50": 25, "p75": 30, "p95": 40, "upper": -102, "lower": 125}}})";
constexpr const char* kBalance =
    R"({"algo-2": {"workloads": {"gpu0": [5, 0, 3]}}, "algo-10": {"workloads": {"gpu0": [1]}}})";

std::vector<std::string> names_of(const std::vector<result::DeviceRow>& rows) {
  std::vector<std::string> names;
  for (const result::DeviceRow& row : rows)
    names.push_back(row.node + " " + row.device + " " + to_text(row.metric));
  return names;
}

} // namespace

TEST_CASE("a GPU's box is LowGPUUtilization's") {
  const auto rows =
      sagemaker_figures::recorded_devices(test::recorded_job("LowGPUUtilization", kLow));
  REQUIRE(names_of(rows) == std::vector<std::string>{"algo-1 gpu0 GPU"});
  CHECK(rows[0].p25 == 10);
  CHECK(rows[0].p50 == 20);
  CHECK(rows[0].p75 == 30);
  CHECK(rows[0].p95 == 85);
  CHECK(rows[0].max == 91);
  CHECK(rows[0].upper == 60);
  CHECK(rows[0].lower == 0);
  CHECK_FALSE(rows[0].p05);
  CHECK_FALSE(rows[0].mean);
  CHECK(rows[0].histogram.empty());
}

TEST_CASE("BatchSize tells of the CPU, GPUs and their memory, without its wrong whiskers") {
  const auto rows = sagemaker_figures::recorded_devices(test::recorded_job("BatchSize", kBatch));
  REQUIRE(names_of(rows) ==
          std::vector<std::string>{"algo-1 cpu CPU", "algo-1 gpu1 GPU", "algo-1 gpu1 GPU memory"});
  CHECK(rows[1].upper == 6);
  CHECK(rows[2].p50 == 25);
  CHECK_FALSE(rows[2].upper);
  CHECK_FALSE(rows[2].lower);
}

TEST_CASE("workloads are histograms whose edges end where SageMaker's do") {
  const auto rows =
      sagemaker_figures::recorded_devices(test::recorded_job("LoadBalancing", kBalance, 8));
  REQUIRE(names_of(rows) == std::vector<std::string>{"algo-2 gpu0 GPU", "algo-10 gpu0 GPU"});
  CHECK(rows[0].histogram.counts == std::vector<std::int64_t>{5, 0, 3});
  CHECK(rows[0].histogram.edges == std::vector<double>{0, 2, 4, 6});
  CHECK(rows[0].samples == 8);
}

TEST_CASE("figures of one device come together from several rules") {
  job::Job job = test::recorded_job("LowGPUUtilization", kLow);
  job.rule_outputs.push_back(
      test::recorded_job("BatchSize", R"({"algo-1": {"gpu0": {"p05": 1, "p50": 99}}})")
          .rule_outputs[0]);
  job.rule_outputs.push_back(
      test::recorded_job("GPUMemoryIncrease", R"({"algo-1": {"gpu0": {"p50": 7}}})")
          .rule_outputs[0]);
  const auto rows = sagemaker_figures::recorded_devices(job);
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].p50 == 20); // the first to say
  CHECK(rows[0].p05 == 1);
  CHECK(rows[1].metric == result::Metric::gpu_memory);
  CHECK(rows[1].p50 == 7);
}

TEST_CASE("without the rules' outputs there are no devices") {
  CHECK(sagemaker_figures::recorded_devices({}).empty());
  CHECK(sagemaker_figures::recorded_devices(test::recorded_job("LowGPUUtilization", "{}")).empty());
}

TEST_CASE("figures of devices with any part broken are read around") {
  for (const auto& [rule, good] :
       {std::pair{"LowGPUUtilization", kLow}, {"BatchSize", kBatch}, {"LoadBalancing", kBalance}})
    test::for_each_break(good, [&, name = rule](const nlohmann::json& details) {
      const auto rows =
          sagemaker_figures::recorded_devices(test::recorded_job(name, details.dump()));
      for (const result::DeviceRow& row : rows) {
        CHECK(std::isfinite(row.p50.value_or(0)));
        for (const std::int64_t count : row.histogram.counts)
          CHECK(count >= 0);
      }
      for (const result::BalancePair& pair : aggregate::load_balance(rows).pairs)
        CHECK(std::isfinite(pair.distance));
    });
}

TEST_CASE("a workload with a wrong count is not known") {
  const auto rows = sagemaker_figures::recorded_devices(test::recorded_job(
      "LoadBalancing", R"({"algo-1": {"workloads": {"gpu0": [5, -1], "gpu1": [5, 1], "gpu2": ["5"],
        "gpu3": [18446744073709551615]}}})"));
  CHECK(names_of(rows) == std::vector<std::string>{"algo-1 gpu1 GPU"});
}

TEST_CASE("samples that SageMaker's histogram lost are above 98") {
  nlohmann::json details;
  std::vector<int> counts(49, 0);
  counts[0] = 3;
  details["algo-1"]["workloads"]["gpu0"] = counts;
  const auto rows = sagemaker_figures::recorded_devices(
      test::recorded_job("LoadBalancing", details.dump().c_str(), 10));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].histogram.counts.size() == 50);
  CHECK(rows[0].histogram.counts.back() == 7);
  CHECK(rows[0].histogram.edges.back() == 100);
}

} // namespace test_devices
