#include "aggregate/trace/figures.h"
#include "trace_maker.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace test_operators {

using namespace debrief;
using Kind = job::SliceKind;

namespace {

result::TraceOperators operators_of(const std::vector<job::Trace>& traces) {
  return aggregate::trace_operators(
      std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
}

/// Calls, then host total and self, device total and self, in nanoseconds.
std::vector<int> row(const std::vector<result::TraceOperator>& rows, std::string_view name,
                     std::string_view shapes = {}) {
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const auto& some) {
    return some.name == name && some.shapes == shapes;
  });
  if (found == rows.end()) return {};
  const auto ns = [](double us) { return static_cast<int>(us * 1000 + 0.5); };
  return {static_cast<int>(found->calls), ns(found->host_total_us), ns(found->host_self_us),
          ns(found->device_total_us), ns(found->device_self_us)};
}

using Row = std::vector<int>;

} // namespace

TEST_CASE("operators have their own time and that of the operators inside") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::linear", 0, 100);
  make.cpu(Kind::annotation, "range", 5, 95);
  make.cpu(Kind::op, "aten::addmm", 10, 60);
  make.launched("volta_fp16_s884gemm_fp16_64x64", 20, 200, 230);
  make.launched("bias_kernel", 70, 230, 240); // by linear itself
  make.launched("outside", 110, 300, 310);    // by no operator
  const result::TraceOperators found = operators_of(test::list_of(make.make()));
  CHECK(found.names == 2);
  CHECK(row(found.by_name, "aten::linear") == Row{1, 100, 50, 40, 10});
  CHECK(row(found.by_name, "aten::addmm") == Row{1, 50, 50, 30, 30});
  CHECK(found.by_name[0].name == "aten::addmm"); // most device self first
  CHECK(found.by_name[0].tensor_core_eligible);
  CHECK(found.by_name[0].tensor_core_us == 0.03);
  CHECK(found.by_name[1].tensor_core_us == 0);
  REQUIRE(found.by_name.size() == 3);
  CHECK(found.by_name[2].name == "cudaLaunchKernel");
  CHECK(found.by_name[2].outside_operators);
  CHECK(row(found.by_name, "cudaLaunchKernel") == Row{1, 5, 5, 10, 10});
  CHECK(found.tensor_core_unknown_us == 0.02); // of names that tell nothing
  CHECK(found.host_self_us == 0.1);
  CHECK(found.device_self_us == 0.05); // of all
  CHECK(found.eligible_device_us == 0.04);
  CHECK(found.tensor_core_us == 0.03);
  CHECK(found.by_shapes.empty());
}

TEST_CASE("sums are of all operators, listed or not") {
  test::TraceMaker make;
  for (int i = 0; i < 400; ++i)
    make.cpu(Kind::op, "op " + std::to_string(i), 100 * i, 100 * i + 50);
  for (int i = 0; i < 20; ++i) // without work of their own on the GPU, and the shortest: not listed
    make.cpu(Kind::op, "autograd::engine::evaluate_function: " + std::to_string(i), 100 * i + 60,
             100 * i + 70);
  const result::TraceOperators found = operators_of(test::list_of(make.make()));
  CHECK(found.names == 420);
  CHECK(found.by_name.size() == result::kMaxTraceRows);
  CHECK(found.calls == 420);
  CHECK(found.host_total_us == 20.2);
  CHECK(found.backward_calls == 20);
  CHECK(found.backward_host_us == 0.2);
}

TEST_CASE("an operator that calls itself counts once in totals") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::to", 0, 100);
  make.cpu(Kind::op, "aten::_to_copy", 10, 90);
  make.cpu(Kind::op, "aten::to", 20, 60);
  make.launched("k", 30, 200, 207);
  make.cpu(Kind::op, "aten::to", 120, 130);
  make.cpu(Kind::op, "aten::to", 125, 150, 2); // another thread
  const result::TraceOperators found = operators_of(test::list_of(make.make()));
  CHECK(row(found.by_name, "aten::to") == Row{4, 135, 95, 7, 7});
  CHECK(row(found.by_name, "aten::_to_copy") == Row{1, 80, 40, 7, 0});
  CHECK(found.host_self_us == 0.135);
}

TEST_CASE("operators that overlap without nesting share no moment") {
  test::TraceMaker make;
  make.cpu(Kind::op, "a", 0, 10);
  make.cpu(Kind::op, "b", 5, 15);
  make.cpu(Kind::op, "b", 12, 20);
  const result::TraceOperators found = operators_of(test::list_of(make.make()));
  CHECK(row(found.by_name, "a") == Row{1, 10, 5, 0, 0});
  CHECK(row(found.by_name, "b") == Row{2, 15, 15, 0, 0});
}

TEST_CASE("operators of all processes are taken together, by name and by shapes") {
  test::TraceMaker first{"rank 0"};
  const std::int32_t wide = first.shapes("[[8, 4], []]");
  first.cpu(Kind::op, "aten::mm", 0, 10).details = wide;
  first.cpu(Kind::op, "aten::mm", 10, 30).details = first.shapes("[[2, 4], []]");
  first.cpu(Kind::op, "aten::mm", 30, 35);
  test::TraceMaker second{"rank 1"};
  second.cpu(Kind::op, "aten::add", 0, 1);
  second.cpu(Kind::op, "aten::mm", 1, 8).details = second.shapes("[[8, 4], []]");
  const result::TraceOperators found = operators_of(test::list_of(first.make(), second.make()));
  CHECK(found.names == 2);
  CHECK(found.names_and_shapes == 4);
  CHECK(row(found.by_name, "aten::mm") == Row{4, 42, 42, 0, 0});
  CHECK(row(found.by_shapes, "aten::mm", "[8, 4] []") == Row{2, 17, 17, 0, 0});
  CHECK(row(found.by_shapes, "aten::mm", "[2, 4] []") == Row{1, 20, 20, 0, 0});
  CHECK(row(found.by_shapes, "aten::mm") == Row{1, 5, 5, 0, 0});
}

TEST_CASE("a copy whose launch is missing belongs to the operator with its External id") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::copy_", 0, 10).external = 4;
  make.gpu(Kind::memcpy, "Memcpy HtoD (Pageable -> Device)", 5, 9).external = 4;
  CHECK(row(operators_of(test::list_of(make.make())).by_name, "aten::copy_") ==
        Row{1, 10, 10, 4, 4});
}

TEST_CASE("only the first rows are listed, with the counts and sums of all") {
  test::TraceMaker make;
  for (int i = 0; i < 400; ++i)
    make.cpu(Kind::op, "op " + std::to_string(i), i * 1000, i * 1000 + i + 1);
  const result::TraceOperators found = operators_of(test::list_of(make.make()));
  CHECK(found.names == 400);
  CHECK(found.by_name.size() == result::kMaxTraceRows);
  CHECK(found.by_name[0].name == "op 399");
  CHECK(found.host_self_us == 400 * 401 / 2 / 1000.0);
  CHECK(operators_of({}).by_name.empty());
}

TEST_CASE("matrix products and convolutions can use tensor cores") {
  for (const char* op :
       {"aten::mm", "aten::conv2d", "aten::convolution_backward", "aten::cudnn_convolution",
        "aten::_scaled_dot_product_flash_attention", "aten::_cudnn_rnn_backward"})
    CHECK(aggregate::is_tensor_core_eligible(op));
  for (const char* op : {"mm", "aten::add", "aten::mmm", "aten::constant_pad_nd", "aten::prelu"})
    CHECK_FALSE(aggregate::is_tensor_core_eligible(op));
}

TEST_CASE("shapes are written without the outer list") {
  CHECK(aggregate::readable_shapes("[[8192, 50257], []]") == "[8192, 50257] []");
  CHECK(aggregate::readable_shapes("[[1,2],[[3],[4]]]") == "[1, 2] [[3], [4]]");
  CHECK(aggregate::readable_shapes("[]").empty());
  CHECK(aggregate::readable_shapes("]]5[[") == "5[");
  const std::string cut = aggregate::readable_shapes(std::string(10'000, '7'));
  CHECK(cut == std::string(aggregate::kMaxShapesText, '7') + "…");
}

} // namespace test_operators
