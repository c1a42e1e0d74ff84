#include "aggregate/trace/index.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>

namespace test_index {

using namespace debrief;
using test::TraceMaker;

namespace {

std::int32_t slice_named(const aggregate::TraceIndex& index, std::string_view name) {
  for (std::size_t i = 0; i < index.trace.slices.size(); ++i)
    if (index.name(static_cast<std::int32_t>(i)) == name) return static_cast<std::int32_t>(i);
  return aggregate::TraceIndex::kNone;
}

} // namespace

TEST_CASE("the cause of a slice is the operator next to it and the outermost that is no step") {
  TraceMaker maker;
  maker.step(1, 0, 1000);
  maker.cpu(job::SliceKind::annotation, "train", 10, 900);
  maker.cpu(job::SliceKind::module, "nn.Module: Net_0", 15, 600);
  maker.cpu(job::SliceKind::op, "aten::item", 20, 500);
  maker.cpu(job::SliceKind::op, "aten::_local_scalar_dense", 30, 400);
  maker.cpu(job::SliceKind::runtime, "cudaStreamSynchronize", 40, 300);
  maker.cpu(job::SliceKind::runtime, "cudaFree", 950, 960);
  const job::Trace trace = maker.make();
  const aggregate::TraceIndex index{trace};
  const std::int32_t call = slice_named(index, "cudaStreamSynchronize");
  CHECK(aggregate::name_or_empty(index, aggregate::innermost_op(index, call)) ==
        "aten::_local_scalar_dense");
  CHECK(aggregate::name_or_empty(index, aggregate::outermost_cause(index, call)) == "train");
  const std::int32_t alone = slice_named(index, "cudaFree");
  CHECK(aggregate::name_or_empty(index, aggregate::innermost_op(index, alone)).empty());
  CHECK(aggregate::name_or_empty(index, aggregate::outermost_cause(index, alone)).empty());
}

TEST_CASE("what holds a slice is the innermost that ends no earlier") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::op, "outer", 0, 100);
  maker.cpu(job::SliceKind::op, "inner", 10, 50);
  maker.cpu(job::SliceKind::op, "overlaps", 40, 60);
  maker.cpu(job::SliceKind::op, "in both", 45, 50);
  maker.cpu(job::SliceKind::op, "later", 60, 70);
  maker.cpu(job::SliceKind::op, "at its end", 70, 70);
  const job::Trace trace = maker.make();
  const aggregate::TraceIndex index{trace};
  const auto holder = [&](std::string_view name) {
    return aggregate::name_or_empty(index, aggregate::parent_of(index, slice_named(index, name)));
  };
  CHECK(holder("outer").empty());
  CHECK(holder("inner") == "outer");
  CHECK(holder("overlaps") == "outer");
  CHECK(holder("in both") == "overlaps");
  CHECK(holder("later") == "outer");
  CHECK(holder("at its end") == "outer");
}

TEST_CASE("slices nest 512 deep; what lies deeper is inside of the last of these") {
  TraceMaker maker;
  for (int i = 0; i < 600; ++i)
    maker.cpu(job::SliceKind::op, std::to_string(i), i, 2000 - i);
  const job::Trace trace = maker.make();
  const aggregate::TraceIndex index{trace};
  const auto holder = [&](std::string_view name) {
    return aggregate::name_or_empty(index, aggregate::parent_of(index, slice_named(index, name)));
  };
  CHECK(holder("512") == "511");
  CHECK(holder("513") == "511");
  CHECK(holder("599") == "511");
}

TEST_CASE("the slice that is open at a moment is the innermost of its thread") {
  TraceMaker maker;
  maker.cpu(job::SliceKind::op, "outer", 100, 200);
  maker.cpu(job::SliceKind::op, "inner", 120, 140);
  maker.cpu(job::SliceKind::overhead, "profiler", 150, 160);
  maker.cpu(job::SliceKind::op, "other", 0, 1000, 2);
  const job::Trace trace = maker.make();
  const aggregate::TraceIndex index{trace};
  const aggregate::OpenSlices open{index};
  CHECK(aggregate::name_or_empty(index, open.at(0, Nanoseconds{99})).empty());
  CHECK(aggregate::name_or_empty(index, open.at(0, Nanoseconds{110})) == "outer");
  CHECK(aggregate::name_or_empty(index, open.at(0, Nanoseconds{130})) == "inner");
  CHECK(aggregate::name_or_empty(index, open.at(0, Nanoseconds{155})) == "outer");
  CHECK(aggregate::name_or_empty(index, open.at(0, Nanoseconds{201})).empty());
  CHECK(aggregate::name_or_empty(index, open.at(1, Nanoseconds{201})) == "other");
  CHECK(aggregate::name_or_empty(index, open.at(7, Nanoseconds{201})).empty());
}

} // namespace test_index
