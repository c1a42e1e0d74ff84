#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_step_ranks {

using namespace debrief;
using job::SliceKind;
using test::TraceMaker;

namespace {

job::Trace rank(const std::string& process, std::int64_t ahead) {
  TraceMaker maker(process);
  maker.step(7, 1000 + ahead, 9000 + ahead);
  maker.cpu(SliceKind::op, "aten::mm", 2000 + ahead, 3000 + ahead);
  maker.cpu(SliceKind::op, "inner", 2100 + ahead, 2900 + ahead);
  maker.cpu(SliceKind::op, "innermost", 2200 + ahead, 2800 + ahead);
  maker.launched("gemm", 2300 + ahead, 4000 + ahead, 5000 + ahead);
  return maker.make();
}

} // namespace

TEST_CASE("another rank's step lies on the view's clock, two levels of it, after its own tracks") {
  const std::vector<job::Trace> traces =
      test::list_of(rank("rank 0", 0), rank("rank 1", 50'000), rank("rank 2", 0));
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  auto views = aggregate::step_views(indices).views;
  REQUIRE(views.size() == 3); // of three steps of one length
  result::StepView& view = views.at(0);
  const std::size_t own = view.tracks.size();
  result::StragglerRow late; // who comes latest is first
  late.process = "rank 1";
  late.clock_offset_us = 50;
  result::StragglerRow early;
  early.process = "rank 2";
  std::vector<result::StepView> one = {view};
  aggregate::add_other_ranks(indices, {late, early}, one);
  const result::StepView& found = one.at(0);
  std::string text;
  for (const result::StepSlice& slice : found.slices)
    if (static_cast<std::size_t>(slice.track) >= own)
      text += fmt::format("{} {} {}+{} at {}; ",
                          found.tracks[static_cast<std::size_t>(slice.track)].name,
                          found.names[static_cast<std::size_t>(slice.name)], slice.start_ns,
                          slice.duration_ns, slice.depth);
  const auto of = [](const char* process) {
    return fmt::format("{0}: main thread aten::mm 1000+1000 at 0; {0}: main thread inner 1100+800 "
                       "at 1; {0}: GPU gemm 3000+1000 at 0; ",
                       process);
  };
  const std::string self = found.process;
  std::string wanted;
  for (const char* process : {"rank 1", "rank 2", "rank 0"})
    if (process != self) wanted += of(process);
  CHECK(text == wanted);
  CHECK(found.tracks.back().other != "");
  CHECK(found.tracks.front().other == "");
}

} // namespace test_step_ranks
