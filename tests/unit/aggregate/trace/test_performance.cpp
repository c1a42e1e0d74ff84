#include "aggregate/trace/figures.h"
#include "trace_maker.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_performance {

using namespace debrief;
using Catch::Approx;
using Kind = job::SliceKind;

namespace {

constexpr const char* kTwo = R"(["c10::BFloat16", "c10::BFloat16"])";

result::Performance performance_of(const std::vector<job::Trace>& traces) {
  return aggregate::operator_performance(
      std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
}

void add_gpu(test::TraceMaker& make, const std::string& name) {
  job::GpuProperties gpu;
  gpu.name = name;
  make.trace().gpus.push_back(gpu);
}

/// A product of 1024 × 1024 × 1024 at `start`, on the GPU for 10 µs.
void add_product(test::TraceMaker& make, std::int64_t start, std::string_view kernel = "gemm") {
  make.cpu(Kind::op, "aten::mm", start, start + 1000).details =
      make.shapes("[[1024, 1024], [1024, 1024]]", kTwo);
  make.launched(kernel, start + 10, start + 20'000, start + 30'000);
}

constexpr double kFlops = 2.0 * 1024 * 1024 * 1024;

} // namespace

TEST_CASE("an operator's rate is its work over the GPU time that its calls took") {
  test::TraceMaker make;
  add_gpu(make, "NVIDIA H100 80GB HBM3");
  make.step(1, 0, 200'000);
  add_product(make, 1000);
  add_product(make, 101'000);
  const auto found = performance_of(test::list_of(make.make()));
  REQUIRE(found.rows.size() == 1);
  const result::OperatorPerformance& row = found.rows[0];
  CHECK(row.calls == 2);
  CHECK(row.us == 20);
  CHECK(row.percent == 100);
  CHECK(row.flops == kFlops);
  CHECK(row.tflops_per_second.value() == Approx(kFlops / 10e-6 / 1e12));
  CHECK(row.intensity.value() == Approx(kFlops / (3 * 1024 * 1024 * 2)));
  CHECK(row.peak_percent.value() == Approx(100 * kFlops / 10e-6 / 989.5e12));
  CHECK(row.roof == result::Roof::compute);
  CHECK(found.known_us == 20);
}

TEST_CASE("a step's utilization is its matrix work over its duration and the GPU's peak") {
  test::TraceMaker make;
  add_gpu(make, "NVIDIA H100 80GB HBM3");
  make.step(1, 0, 100'000);
  add_product(make, 1000);
  make.step(2, 100'000, 200'000);
  add_product(make, 101'000);
  add_product(make, 131'000);
  const auto found = performance_of(test::list_of(make.make()));
  REQUIRE(found.steps.size() == 2);
  CHECK(found.steps[0].number == 1);
  CHECK(found.steps[0].flops == kFlops);
  CHECK(found.steps[1].flops == 2 * kFlops);
  CHECK(found.steps[0].precision == "bf16");
  for (const result::StepFlops& step : found.steps)
    CHECK(step.utilization.value() == Approx(100 * step.flops / (step.us * 1e-6) / 989.5e12));
  const double us = found.steps[0].us + found.steps[1].us;
  CHECK(found.utilization.value() == Approx(100 * 3 * kFlops / (us * 1e-6) / 989.5e12));
}

TEST_CASE("where much of the matrix work has no known FLOPs there is no utilization") {
  test::TraceMaker make;
  add_gpu(make, "NVIDIA H100 80GB HBM3");
  make.step(1, 0, 100'000);
  add_product(make, 1000); // 10 us
  make.cpu(Kind::op, "aten::cudnn_convolution", 3000, 4000).details =
      make.shapes("[[2, 6, 9, 9], [8, 6, 3, 3]]", kTwo); // strides are not recorded
  make.launched("conv", 3010, 40'000, 70'000);           // 30 us
  const auto found = performance_of(test::list_of(make.make()));
  REQUIRE(found.steps.size() == 1);
  CHECK(found.steps[0].known_percent == Approx(25));
  CHECK(found.steps[0].flops == kFlops);
  CHECK_FALSE(found.steps[0].utilization);
  CHECK_FALSE(found.utilization);
}

TEST_CASE("without a known GPU there are rates, but no shares") {
  test::TraceMaker make;
  add_gpu(make, "Somebody's GPU");
  add_product(make, 1000);
  const auto found = performance_of(test::list_of(make.make()));
  CHECK(found.rows[0].tflops_per_second);
  CHECK_FALSE(found.rows[0].peak_percent);
  CHECK_FALSE(found.rows[0].bandwidth_percent);
  CHECK_FALSE(found.rows[0].roof);
  REQUIRE(found.gpus.size() == 1);
  CHECK(found.gpus[0].model.empty());
  CHECK_FALSE(found.steps[0].utilization);
  CHECK_FALSE(found.utilization);
}

TEST_CASE("fp32 is tf32 where its kernels say so") {
  for (const auto& [kernel, precision] : std::vector<std::pair<std::string, std::string>>{
           {"cutlass_80_tensorop_s1688gemm_64x64_16x6_nn_align4", "tf32"},
           {"ampere_sgemm_128x64_nn", "fp32"}}) {
    test::TraceMaker make;
    add_gpu(make, "NVIDIA A100-SXM4-80GB");
    make.cpu(Kind::op, "aten::mm", 0, 1000).details =
        make.shapes("[[64, 64], [64, 64]]", R"(["float", "float"])");
    make.launched(kernel, 10, 2000, 12'000);
    const auto found = performance_of(test::list_of(make.make()));
    CHECK(found.rows[0].precision == precision);
  }
}

TEST_CASE("work belongs to the innermost operator with a formula, and counts once") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::linear", 0, 1000).details =
      make.shapes("[[8, 16], [4, 16], [4]]", R"(["float", "float", "float"])");
  make.cpu(Kind::op, "aten::addmm", 100, 500).details = make.shapes(
      "[[4], [8, 16], [16, 4], [], []]", R"(["float", "float", "float", "Scalar", "Scalar"])");
  make.launched("gemm", 110, 2000, 3000);
  make.launched("beside", 600, 3000, 3500); // by linear itself: its product is counted already
  make.cpu(Kind::op, "aten::embedding", 1000, 2000).details =
      make.shapes("[[100, 8], [4]]", R"(["float", "long int"])");
  make.cpu(Kind::op, "aten::index_select", 1100, 1900); // has no formula of its own
  make.launched("indexSelect", 1200, 4000, 4200);
  const auto found = performance_of(test::list_of(make.make()));
  REQUIRE(found.rows.size() == 2);
  CHECK(found.rows[0].name == "aten::addmm");
  CHECK(found.rows[0].us == 1);
  CHECK(found.rows[1].name == "aten::embedding");
  CHECK(found.without_formula_us == 0.5);
  CHECK(found.steps[0].flops == 2 * 8 * 4 * 16 + 8 * 4);
}

TEST_CASE("GPU time that has no known cost says why") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::mm", 0, 100); // no shapes
  make.launched("gemm", 10, 1000, 2000);
  make.cpu(Kind::op, "aten::nonzero", 100, 200).details = make.shapes("[[4]]", R"(["float"])");
  make.launched("nonzero", 110, 2000, 2500);
  make.launched("outside", 300, 2500, 2600);
  const auto found = performance_of(test::list_of(make.make()));
  CHECK(found.rows.empty());
  CHECK(found.known_us == 0);
  CHECK(found.without_shapes_us == 1);
  CHECK(found.without_formula_us == 0.5);
  CHECK(found.outside_us == 0.1);
  CHECK(found.steps.empty());
}

TEST_CASE("copies between host and GPU are not the GPU's memory") {
  test::TraceMaker make;
  for (const char* name : {"Memcpy HtoD (Pageable -> Device)", "Memcpy DtoD (Device -> Device)"}) {
    const std::int64_t start = name[7] == 'H' ? 0 : 1000;
    make.cpu(Kind::op, "aten::copy_", start, start + 100).details =
        make.shapes("[[1000], [1000], []]", R"(["float", "float", "Scalar"])");
    make.cpu(Kind::runtime, "cudaMemcpyAsync", start + 10, start + 20).correlation = start + 5;
    make.gpu(Kind::memcpy, name, start + 30, start + 80).correlation = start + 5;
  }
  const auto found = performance_of(test::list_of(make.make()));
  REQUIRE(found.rows.size() == 1);
  CHECK(found.rows[0].calls == 1);
  CHECK(found.rows[0].category == result::WorkCategory::copy);
  CHECK_FALSE(found.rows[0].tflops_per_second); // it computes nothing
  CHECK(found.without_formula_us == 0.05);
}

TEST_CASE("what is faster than the GPU's memory has no share of it") {
  test::TraceMaker make;
  add_gpu(make, "NVIDIA H100 80GB HBM3");
  make.cpu(Kind::op, "aten::add", 0, 1000).details =
      make.shapes("[[1000000], [1000000], []]", R"(["float", "float", "Scalar"])");
  make.launched("elementwise", 10, 2000, 3000); // 12 MB in a microsecond
  const auto found = performance_of(test::list_of(make.make()));
  CHECK(found.rows[0].tb_per_second.value() == Approx(12));
  CHECK_FALSE(found.rows[0].bandwidth_percent);
}

TEST_CASE("the same call in two traces is one row, and one on another GPU another") {
  std::vector<job::Trace> traces;
  for (const char* gpu : {"NVIDIA H200", "NVIDIA H200", "Tesla T4"}) {
    test::TraceMaker make;
    add_gpu(make, gpu);
    add_product(make, 1000);
    traces.push_back(make.make());
  }
  const auto found = performance_of(traces);
  REQUIRE(found.rows.size() == 2);
  CHECK(found.combinations == 2);
  CHECK(found.rows[0].calls == 2);
  CHECK(found.rows[0].gpu == "NVIDIA H200");
  CHECK(found.rows[1].gpu == "Tesla T4");
  CHECK_FALSE(found.rows[1].peak_percent); // a T4 has no units for bf16
  CHECK(found.steps.size() == 3);
}

} // namespace test_performance
