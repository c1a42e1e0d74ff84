#include "render/page/summary.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_summary {

using namespace debrief;
using nlohmann::json;

namespace {

json tile(const result::Result& result, const std::string& name) {
  for (const json& one : render::tiles_view(result))
    if (one["name"] == name) return one;
  return nullptr;
}

} // namespace

TEST_CASE("six tiles quote the headline") {
  const result::Result result = test::full_result();
  CHECK(render::tiles_view(result).size() == 6);
  CHECK(tile(result, "GPU busy")["value"] == "62%");
  CHECK(tile(result, "Iteration")["value"] == "1.5\u00A0s");
  CHECK(tile(result, "Step")["value"] == "500\u00A0ms");
  CHECK(tile(result, "Step")["more"] == "median, p95 2.75\u00A0s");
  CHECK(tile(result, "GPU memory")["value"] == "40 of 80\u00A0GB");
  CHECK(tile(result, "GPU memory")["more"] == "peak, 50%");
  CHECK(tile(result, "CPU cores")["value"] == "4.2 of 16");
  CHECK(tile(result, "Startup")["value"] == "10\u00A0s");
  CHECK(tile(result, "Startup")["more"] == "until the first step");
}

TEST_CASE("a profiled step is an iteration, and its median stands beside the mean") {
  result::Result result;
  result.headline.iteration = {0.5, 0.4, 0.8, 12, true};
  result.headline.busy_in_loop = 50;
  CHECK(tile(result, "Iteration")["more"] == "mean of 12 profiled steps");
  CHECK(tile(result, "Step")["value"] == "400\u00A0ms");
  CHECK(tile(result, "Step")["more"] == "median, p95 800\u00A0ms");
  CHECK(tile(result, "GPU busy")["more"] == "of profiled time");
  result::DeviceRow sampled;
  sampled.metric = result::Metric::gpu;
  result.devices.push_back(sampled);
  CHECK(tile(result, "GPU busy")["more"] == "of training loop");
}

TEST_CASE("a tile is colored by a finding that is about it, and by no other") {
  result::Result result = test::full_result(); // input_bound, critical
  CHECK(tile(result, "Iteration")["class"] == "critical");
  CHECK(tile(result, "GPU memory")["class"] == "");
  result.findings[0].severity = result::Severity::info;
  CHECK(tile(result, "Iteration")["class"] == "");
}

TEST_CASE("what was not measured says so") {
  result::Result little;
  little.headline.startup = 5;
  REQUIRE(render::tiles_view(little).size() == 6);
  for (const json& one : render::tiles_view(little)) {
    if (one["name"] == "Startup") continue;
    CHECK(one["value"] == "–");
    CHECK(one["class"] == "missing");
    CHECK_FALSE(one["more"].get<std::string>().empty());
  }
  CHECK(render::tiles_view(result::Result{}).empty()); // six dashes say less than none
}

TEST_CASE("the job's facts are one line of what is known") {
  result::Result result;
  CHECK(render::job_facts(result).empty());
  result.job.span = TimeSpan{1'794'700'221'000'000, 1'794'700'357'000'000};
  result.job.nodes = {{"algo-1", 16, 1}, {"algo-2", 16, 1}};
  result.job.framework = "pytorch 2.11";
  result.job.status = "Completed";
  CHECK(render::job_facts(result) ==
        std::vector<std::string>{"2\u00A0min 16\u00A0s", "2 nodes, 2 GPUs, 32 CPUs", "pytorch 2.11",
                                 "Nov\u00A014,\u00A02026,\u00A023:50\u00A0UTC", "Completed"});
  result::TraceFile file;
  file.gpus = {{0, "NVIDIA H200", 150'000'000'000, {}, {}}};
  result.traces.files = {file};
  CHECK(render::job_facts(result)[1] == "2 nodes, 2\u00A0× H200, 32 CPUs");
}

} // namespace test_summary
