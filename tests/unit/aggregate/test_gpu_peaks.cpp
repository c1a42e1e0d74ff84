#include "aggregate/gpu_peaks.h"
#include "repository.h"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace test_gpu_peaks {

using namespace debrief;

namespace {

std::string_view model_of(std::string_view name, std::optional<std::int64_t> memory = {}) {
  const aggregate::GpuPeak* found = aggregate::find_gpu_peak(name, memory);
  return found == nullptr ? "" : found->model;
}

/// Cells of a row of a Markdown table.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::istringstream row(line);
  for (std::string cell; std::getline(row, cell, '|');) {
    const std::size_t first = cell.find_first_not_of(' ');
    cells.push_back(
        first == cell.npos ? "" : cell.substr(first, cell.find_last_not_of(' ') + 1 - first));
  }
  return cells;
}

double number_of(const std::string& cell) {
  return cell == "–" ? 0 : std::stod(cell);
}

} // namespace

TEST_CASE("the documentation has the peaks of every model, as they are used") {
  std::ifstream file{test::repository() / "docs/performance.md"};
  std::map<std::string, std::vector<std::string>> rows;
  for (std::string line; std::getline(file, line);)
    if (const auto cells = cells_of(line); cells.size() == 12 && cells[11].starts_with("["))
      rows[cells[1]] = cells;
  CHECK(rows.size() == aggregate::gpu_peaks().size());
  for (const aggregate::GpuPeak& peak : aggregate::gpu_peaks()) {
    CAPTURE(peak.model);
    const auto found = rows.find(std::string{peak.model});
    REQUIRE(found != rows.end());
    for (std::size_t i = 0; i < peak.tflops.size(); ++i)
      CHECK(number_of(found->second[2 + i]) == peak.tflops[i]);
    CHECK(number_of(found->second[10]) == peak.tb_per_second);
  }
}

TEST_CASE("names of GPUs in traces lead to their model") {
  CHECK(model_of("NVIDIA H100 80GB HBM3") == "H100 SXM");
  CHECK(model_of("NVIDIA H100 PCIe") == "H100 PCIe");
  CHECK(model_of("NVIDIA H100 NVL") == "H100 NVL");
  CHECK(model_of("NVIDIA H200") == "H200 SXM");
  CHECK(model_of("NVIDIA B200") == "B200");
  CHECK(model_of("NVIDIA GB200") == "GB200");
  CHECK(model_of("NVIDIA A100-SXM4-80GB") == "A100 80GB SXM");
  CHECK(model_of("NVIDIA A100 80GB PCIe") == "A100 80GB PCIe");
  CHECK(model_of("A100-PCIE-40GB") == "A100 40GB");
  CHECK(model_of("Tesla V100-SXM2-16GB") == "V100 SXM2");
  CHECK(model_of("Tesla V100-PCIE-32GB") == "V100 PCIe");
  CHECK(model_of("Tesla T4") == "T4");
  CHECK(model_of("NVIDIA L4") == "L4");
  CHECK(model_of("NVIDIA L40S") == "L40S");
  CHECK(model_of("NVIDIA GeForce RTX 4090") == "RTX 4090");
  CHECK(model_of("AMD Instinct MI300X VF") == "MI300X");
  CHECK(model_of("AMD Instinct MI250X/MI250") == "MI250X, one of two dies");
}

TEST_CASE("models of one name are told apart by their memory, or not at all") {
  CHECK(model_of("NVIDIA A100-PG509-200", 42'000'000'000) == "A100 40GB");
  CHECK(model_of("NVIDIA A100-PG509-200", 85'000'000'000) == "A100 80GB SXM");
  CHECK(model_of("NVIDIA A100-PG509-200") == "");
}

TEST_CASE("a model that is not listed is never taken for another") {
  for (const char* name :
       {"", "NVIDIA A10G", "NVIDIA L40", "NVIDIA GeForce RTX 4080", "NVIDIA A1000", "NVIDIA H20",
        "AMD Instinct MI300A", "AMD Radeon Graphics", "NVIDIA T400"}) {
    CAPTURE(name);
    CHECK(model_of(name) == "");
  }
}

TEST_CASE("a precision without units has no peak") {
  const aggregate::GpuPeak* found = aggregate::find_gpu_peak("Tesla V100-SXM2-32GB", {});
  REQUIRE(found != nullptr);
  CHECK(found->of("fp16") == 125);
  CHECK_FALSE(found->of("bf16").has_value());
  CHECK_FALSE(found->of("fp3").has_value());
}

} // namespace test_gpu_peaks
