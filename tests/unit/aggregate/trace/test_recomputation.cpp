#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>

namespace test_recomputation {

using namespace debrief;
using test::TraceMaker;

namespace {

/// An operator, and whether autograd records it to be differentiated.
void op(TraceMaker& maker, const char* name, int start, int end, bool differentiable) {
  if (maker.trace().inputs.empty()) maker.trace().inputs.emplace_back().differentiable = true;
  maker.cpu(job::SliceKind::op, name, start, end).details = differentiable ? 0 : -1;
}

std::vector<result::Recomputation> rows_of(TraceMaker maker) {
  const job::Trace trace = maker.make();
  std::vector<aggregate::TraceIndex> indices;
  indices.emplace_back(trace);
  return aggregate::recomputation(indices);
}

} // namespace

TEST_CASE("forward operators within a backward function are computed again") {
  TraceMaker maker;
  op(maker, "aten::linear", 0, 100, true);
  maker.launched("forward", 10, 20, 120);
  op(maker, "autograd::engine::evaluate_function: ReluBackward0", 200, 500, false);
  op(maker, "aten::linear", 210, 300, true);
  op(maker, "aten::addmm", 220, 290, true); // inside of one that counts
  maker.launched("again", 230, 240, 340);
  op(maker, "aten::mul", 310, 400, false);
  maker.launched("backward", 320, 340, 540);
  const auto rows = rows_of(std::move(maker));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].operators == 1);
  CHECK(rows[0].host_us == 0.09);
  CHECK(rows[0].kernel_us == 0.1);
  CHECK(rows[0].kernel_percent == 25);
}

TEST_CASE("a process that computes nothing again has no row") {
  TraceMaker maker;
  op(maker, "aten::linear", 0, 100, true);
  op(maker, "autograd::engine::evaluate_function: ReluBackward0", 200, 500, false);
  op(maker, "aten::mul", 310, 400, false);
  CHECK(rows_of(std::move(maker)).empty());
}

} // namespace test_recomputation
