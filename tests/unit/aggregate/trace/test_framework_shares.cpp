#include "aggregate/trace/figures.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_framework_shares {

using namespace debrief;
using Catch::Matchers::WithinAbs;

namespace {

result::TraceOperator op(const std::string& name, std::int64_t calls, double total, double self) {
  result::TraceOperator row;
  row.name = name;
  row.calls = calls;
  row.host_total_us = total;
  row.host_self_us = self;
  return row;
}

result::AnnotationRow range(const std::string& name, std::int64_t count, double us) {
  result::AnnotationRow row;
  row.name = name;
  row.count = count;
  row.total_us = us;
  return row;
}

result::Traces traces() {
  result::Traces out;
  out.files.resize(1);
  out.operators.by_name = {op("aten::linear", 4, 300.4, 100),
                           op("autograd::engine::evaluate_function: MmBackward0", 4, 100, 300)};
  out.operators.names = 2;
  out.operators.calls = 8;
  out.operators.host_total_us = 400.4;
  out.operators.host_self_us = 400;
  out.operators.backward_calls = 4;
  out.operators.backward_host_us = 100;
  result::KernelRow kernel;
  kernel.name = "gemm";
  kernel.calls = 8;
  kernel.total_us = 1200;
  out.kernels.rows = {kernel};
  out.kernels.names = 3;
  out.kernels.calls = 9;
  out.kernels.total_us = 1600;
  out.annotations = {range("ProfilerStep", 4, 5000),
                     range("DistributedDataParallel.forward", 4, 300), range("load", 2, 100),
                     range("gloo:all_reduce", 2, 900)};
  result::CollectiveRow small;
  small.name = "all_reduce";
  small.calls = 2;
  small.total_us = 100;
  result::CollectiveRow large = small;
  large.total_us = 200;
  large.bytes = 1 << 20;
  out.communication.collectives = {large, small};
  return out;
}

} // namespace

TEST_CASE("traces stand in for timelines, and say so") {
  result::Framework framework;
  framework.general = {{"", "DataLoaderIter", 100, 1.0, 2}}; // of the traces too
  aggregate::fill_from_traces(traces(), true, framework);
  CHECK(framework.operator_source == result::kFromTraces);
  REQUIRE(framework.cpu_operators.rows.size() == 2);
  const result::OperatorRow& backward = framework.cpu_operators.rows[0];
  CHECK(backward.self_us == 300); // most self time first
  CHECK_THAT(backward.self_percent.value(), WithinAbs(75, 1e-9));
  CHECK_THAT(backward.percent, WithinAbs(100 * 100 / 400.4, 1e-9));
  CHECK(framework.cpu_operators.rows[1].total_us == 300);
  CHECK(framework.cpu_operators.rows[1].calls == 4);
  CHECK(framework.cpu_operators.count == 2);
  REQUIRE(framework.gpu_operators.rows.size() == 1);
  CHECK(framework.gpu_operators.count == 3);
  CHECK_THAT(framework.gpu_operators.rows[0].percent, WithinAbs(75, 1e-9));
  CHECK(framework.gpu_operators.rows[0].self_us == 1200);

  REQUIRE(framework.ratio.size() == 2);
  CHECK(framework.ratio[0].name == "GPU kernels");
  CHECK_THAT(framework.ratio[0].percent, WithinAbs(80, 1e-9));
  CHECK(framework.ratio[0].calls == 9);
  CHECK(framework.ratio[1].name == "CPU operators");
  REQUIRE(framework.general.size() == 2);
  CHECK(framework.general[0].name == "DistributedDataParallel.forward");
  CHECK_THAT(framework.general[0].percent, WithinAbs(75, 1e-9));
  REQUIRE(framework.forward_backward.size() == 2);
  CHECK(framework.forward_backward[0].name == "Forward pass");
  CHECK_THAT(framework.forward_backward[1].percent, WithinAbs(25, 1e-9));
  REQUIRE(framework.collectives.size() == 1);
  CHECK(framework.collectives[0].calls == 4);
  CHECK_THAT(framework.collectives[0].seconds.value(), WithinAbs(300e-6, 1e-12));
}

TEST_CASE("what timelines say is not replaced") {
  result::Framework framework;
  framework.cpu_operators.rows = {{"mm", 100, 1, 1, 100.0, 1}};
  framework.operator_source = result::kFromTimelines;
  framework.general = {{"", "DataLoaderIter", 100, 1.0, 2}};
  framework.collectives = {{"", "ALLREDUCE", 100, 1.0, 2}};
  aggregate::fill_from_traces(traces(), false, framework);
  CHECK(framework.cpu_operators.rows.size() == 1);
  CHECK(framework.gpu_operators.rows.empty());
  CHECK(framework.operator_source == result::kFromTimelines);
  CHECK(framework.general[0].name == "DataLoaderIter");
  CHECK(framework.collectives[0].name == "ALLREDUCE");
  CHECK(framework.ratio.empty());
}

TEST_CASE("SageMaker's figures are not mixed with others, operators apart") {
  result::Framework framework;
  framework.recorded_by_sagemaker = true;
  aggregate::fill_from_traces(traces(), true, framework);
  CHECK(framework.operator_source == result::kFromTraces);
  CHECK(framework.general.empty());
  CHECK(framework.ratio.empty());
  CHECK(framework.collectives.empty());
}

TEST_CASE("a forward pass without a backward pass is no share") {
  result::Traces some = traces();
  some.operators.by_name.pop_back();
  some.operators.backward_calls = 0;
  some.operators.backward_host_us = 0;
  result::Framework framework;
  aggregate::fill_from_traces(some, true, framework);
  CHECK(framework.forward_backward.empty());
}

TEST_CASE("without traces, or with empty ones, nothing is filled") {
  result::Framework framework;
  aggregate::fill_from_traces({}, true, framework);
  CHECK(framework.operator_source.empty());
  result::Traces empty;
  empty.files.resize(1);
  aggregate::fill_from_traces(empty, true, framework);
  CHECK(framework.operator_source.empty());
  CHECK(framework.ratio.empty());
}

} // namespace test_framework_shares
