#include "aggregate/trace/around.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>

using namespace debrief;
using test::TraceMaker;

namespace {

std::int32_t slice_named(const TraceIndex& index, std::string_view name) {
  for (std::size_t i = 0; i < index.trace.slices.size(); ++i)
    if (index.name(static_cast<std::int32_t>(i)) == name) return static_cast<std::int32_t>(i);
  return TraceIndex::kNone;
}

} // namespace

TEST_CASE("the cause of a slice is the operator next to it and the outermost that is no step") {
  TraceMaker maker;
  maker.step(1, 0, 1000);
  maker.cpu(SliceKind::annotation, "train", 10, 900);
  maker.cpu(SliceKind::module, "nn.Module: Net_0", 15, 600);
  maker.cpu(SliceKind::op, "aten::item", 20, 500);
  maker.cpu(SliceKind::op, "aten::_local_scalar_dense", 30, 400);
  maker.cpu(SliceKind::runtime, "cudaStreamSynchronize", 40, 300);
  maker.cpu(SliceKind::runtime, "cudaFree", 950, 960);
  const Trace trace = maker.make();
  const TraceIndex index{trace};
  const std::int32_t call = slice_named(index, "cudaStreamSynchronize");
  CHECK(name_or_empty(index, innermost_op(index, call)) == "aten::_local_scalar_dense");
  CHECK(name_or_empty(index, outermost_cause(index, call)) == "train");
  const std::int32_t alone = slice_named(index, "cudaFree");
  CHECK(name_or_empty(index, innermost_op(index, alone)).empty());
  CHECK(name_or_empty(index, outermost_cause(index, alone)).empty());
}

TEST_CASE("the slice that is open at a moment is the innermost of its thread") {
  TraceMaker maker;
  maker.cpu(SliceKind::op, "outer", 100, 200);
  maker.cpu(SliceKind::op, "inner", 120, 140);
  maker.cpu(SliceKind::overhead, "profiler", 150, 160);
  maker.cpu(SliceKind::op, "other", 0, 1000, 2);
  const Trace trace = maker.make();
  const TraceIndex index{trace};
  const OpenSlices open{index};
  CHECK(name_or_empty(index, open.at(0, 99)).empty());
  CHECK(name_or_empty(index, open.at(0, 110)) == "outer");
  CHECK(name_or_empty(index, open.at(0, 130)) == "inner");
  CHECK(name_or_empty(index, open.at(0, 155)) == "outer");
  CHECK(name_or_empty(index, open.at(0, 201)).empty());
  CHECK(name_or_empty(index, open.at(1, 201)) == "other");
  CHECK(name_or_empty(index, open.at(7, 201)).empty());
}
