#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_operator_stacks {

using namespace debrief;
using job::SliceKind;
using test::TraceMaker;

namespace {

std::string text_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  std::string out;
  for (const result::OperatorStack& stack : aggregate::operator_stacks(indices))
    out += fmt::format("{}{} {} in {}; ", std::string(static_cast<std::size_t>(stack.depth), '>'),
                       stack.name, stack.us, stack.parent);
  return out;
}

} // namespace

TEST_CASE("GPU time is that of the operators that launched it, by phase and caller") {
  TraceMaker maker;
  maker.step(1, 0, 100'000);
  maker.cpu(SliceKind::op, "aten::linear", 1000, 9000);
  maker.cpu(SliceKind::op, "aten::mm", 2000, 8000);
  maker.launched("gemm", 3000, 20'000, 26'000);
  maker.cpu(SliceKind::op, "autograd::engine::evaluate_function: MmBackward0", 10'000, 19'000);
  maker.launched("gemm", 12'000, 30'000, 40'000);
  maker.launched("graph", 50'000, 60'000, 61'000); // outside of any operator
  CHECK(text_of(test::list_of(maker.make())) ==
        "forward and other 6 in -1; >aten::linear 6 in 0; >>aten::mm 6 in 1; backward 10 in -1; "
        ">MmBackward0 10 in 3; outside operators 1 in -1; ");
}

TEST_CASE("without a GPU it is the CPU's own time, and what calls itself is one") {
  TraceMaker maker;
  maker.cpu(SliceKind::op, "aten::to", 0, 10'000);
  maker.cpu(SliceKind::op, "aten::to", 1000, 9000);
  maker.cpu(SliceKind::op, "aten::copy_", 2000, 6000);
  CHECK(text_of(test::list_of(maker.make())) ==
        "forward and other 10 in -1; >aten::to 10 in 0; >>aten::copy_ 4 in 1; ");
  CHECK(text_of({}).empty());
}

TEST_CASE("what nests without end, and what takes next to nothing, has no bar of its own") {
  TraceMaker maker;
  for (int depth = 0; depth < 2000; ++depth)
    maker.cpu(SliceKind::op, fmt::format("op{}", depth), depth, 1'000'000 - depth);
  maker.cpu(SliceKind::op, "tiny", 2'000'000, 2'000'010);
  const std::string text = text_of(test::list_of(maker.make()));
  CHECK(text.find("op6") != text.npos);
  CHECK(text.find("op7") == text.npos);
  CHECK(text.find("tiny") == text.npos);
}

} // namespace test_operator_stacks
