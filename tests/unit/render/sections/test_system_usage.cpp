#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_system_usage {

using namespace debrief;

namespace {

void add(result::Result& result, const std::string& node, const std::string& metric, double p50,
         double p95) {
  result::UsageRow row;
  row.node = node;
  row.metric = *result::from_text<result::Metric>(metric);
  row.unit = "%";
  row.p50 = p50;
  row.p95 = p95;
  result.system_usage.push_back(row);
}

result::Result one_node() {
  result::Result result;
  add(result, "algo-1", "CPU", 95, 99);
  add(result, "algo-1", "GPU", 12, 34);
  add(result, "algo-1", "I/O", 40, 50);
  return result;
}

result::Finding finding(const std::string& kind, const std::string& node) {
  result::Finding out;
  out.kind = *result::from_text<result::FindingKind>(kind);
  if (!node.empty()) out.where = {{node, "", "", 0}};
  return out;
}

std::string usage(const result::Result& result) {
  return take_away(view_of(render::kSystemUsageSection, result));
}

} // namespace

TEST_CASE("what limits a node is said if a finding says so, never by the page's own judgment") {
  result::Result result = one_node();
  CHECK(usage(result) == "GPU utilization of algo-1: median 12.0%, p95 34.0% (CPU median 95.0%).");
  result.findings = {finding("cpu_bound", "algo-2"), finding("underutilized", "algo-1")};
  CHECK(usage(result).starts_with("GPU utilization of algo-1: median 12.0%"));
  result.findings = {finding("cpu_bound", "algo-1")};
  CHECK(usage(result) ==
        "algo-1 is limited by CPU: median GPU utilization 12.0% (CPU median 95.0%).");
  result.findings = {finding("io_bound", "")}; // of the whole job
  CHECK(usage(result) == "algo-1 waits for storage: I/O wait 40.0%, median GPU utilization 12.0%.");
}

TEST_CASE("what was not recorded is said, not taken for idle") {
  result::Result result;
  add(result, "algo-1", "CPU", 5, 6);
  add(result, "algo-2", "Network", 5, 6);
  CHECK(usage(result) == "algo-1 recorded no GPU. CPU utilization: median 5.0%, p95 6.0%. algo-2 "
                         "recorded neither GPU nor CPU.");
}

TEST_CASE("nodes of which the same is true share a sentence") {
  result::Result result;
  for (int node = 1; node <= 5; ++node)
    add(result, "algo-" + std::to_string(node), "GPU", 80 + node, 95);
  add(result, "algo-6", "GPU", 1, 2);
  result.findings = {finding("cpu_bound", "algo-6")};
  CHECK(usage(result) == "algo-6 is limited by CPU: median GPU utilization 1.0%. GPU utilization "
                         "of algo-1, algo-2 and 3 more nodes: median 81.0% to 85.0%, p95 95.0%.");
}

TEST_CASE("the script knows columns and metrics by keys") {
  const nlohmann::json table = blocks(view_of(render::kSystemUsageSection, one_node()), "table")[0];
  CHECK(table["columns"][1]["key"] == "metric");
  CHECK(table["columns"][6]["key"] == "p99");
  CHECK(table["rows"][1][1]["key"] == "GPU");
}

} // namespace test_system_usage
