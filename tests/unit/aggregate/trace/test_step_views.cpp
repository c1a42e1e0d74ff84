#include "aggregate/trace/figures.h"

#include <catch2/catch_test_macros.hpp>

namespace test_step_views {

using namespace debrief;

namespace {

/// A trace of two threads and a stream of GPU 0; times in nanoseconds after an epoch of its own.
struct Recorded {
  job::Trace trace;

  explicit Recorded(const std::string& process) {
    trace.process = process;
    trace.tracks = {{false, 10, 11, "thread 11 (python3)"}, {false, 10, 12, ""}, {true, 0, 7, ""}};
  }

  void add(job::SliceKind kind, const char* name, int track, std::int64_t start,
           std::int64_t duration, std::int64_t correlation = job::Slice::kNone) {
    job::Slice slice;
    slice.kind = kind;
    slice.name = trace.names.intern(name);
    slice.track = track;
    slice.start = Nanoseconds{start};
    slice.duration = Nanoseconds{duration};
    slice.correlation = correlation;
    trace.slices.push_back(slice);
  }
};

std::vector<aggregate::TraceIndex> indexed(const std::vector<const Recorded*>& all) {
  std::vector<aggregate::TraceIndex> out;
  for (const Recorded* one : all)
    out.emplace_back(one->trace);
  return out;
}

std::vector<std::string> names_of(const result::StepView& view) {
  std::vector<std::string> out;
  for (const result::StepSlice& slice : view.slices)
    out.push_back(view.names[static_cast<std::size_t>(slice.name)]);
  return out;
}

/// Two steps; the first launches a kernel that runs into the second, and one that runs after it.
Recorded two_steps() {
  Recorded out("algo-1-10");
  out.add(job::SliceKind::annotation, "ProfilerStep#4", 0, 1000, 100);
  out.add(job::SliceKind::op, "aten::mm", 0, 1010, 50);
  out.add(job::SliceKind::runtime, "launch", 0, 1020, 5, 1);
  out.add(job::SliceKind::runtime, "launch", 0, 1030, 5, 2);
  out.add(job::SliceKind::annotation, "ProfilerStep#5", 0, 1100, 40);
  out.add(job::SliceKind::op, "other", 1, 990, 200);
  out.add(job::SliceKind::gpu_annotation, "ProfilerStep#4", 2, 1090, 400);
  out.add(job::SliceKind::kernel, "gemm", 2, 1090, 30, 1);
  out.add(job::SliceKind::kernel, "late", 2, 1300, 30, 2);
  out.add(job::SliceKind::memcpy, "of nobody", 2, 1301, 1, 77);
  return out;
}

} // namespace

TEST_CASE("a step has what touches it, and GPU work that it launched") {
  const Recorded recorded = two_steps();
  const auto views = aggregate::step_views(indexed({&recorded})).views;
  REQUIRE(views.size() == 2);
  const result::StepView& slowest = views[0];
  CHECK(slowest.which == "slowest");
  CHECK(slowest.process == "algo-1-10");
  CHECK(slowest.number == 4);
  CHECK(slowest.us == 0.24); // from the GPU's turn to it to the next
  CHECK(slowest.host_us == 0.1);
  CHECK(slowest.shown_us == 0.33);
  CHECK(names_of(slowest) == std::vector<std::string>{"ProfilerStep#4", "aten::mm", "launch",
                                                      "launch", "other", "gemm", "late"});
  CHECK(slowest.slices[4].start_ns == -10);
  CHECK(slowest.slices[4].duration_ns == 200);
  CHECK(slowest.slices[2].depth == 2);
  CHECK(slowest.slices[5].launch == 2);
  CHECK(slowest.slices[6].launch == 3);
  CHECK(slowest.slices[0].launch == -1);
  CHECK(slowest.slices[0].category == result::WorkCategory::other); // an annotation
  CHECK(slowest.slices[1].category == result::WorkCategory::gemm);
  CHECK(slowest.slices[5].category == result::WorkCategory::gemm);
  REQUIRE(slowest.tracks.size() == 3);
  CHECK(slowest.tracks[0].name == "thread 11 (python3)");
  CHECK(slowest.tracks[0].depth == 3);
  CHECK(slowest.tracks[1].name == "thread 12");
  CHECK(slowest.tracks[2].name == "GPU 0 stream 7");
  CHECK(slowest.tracks[2].gpu);
  // The other has what runs meanwhile, though another step launched it: without its launch.
  CHECK(views[1].which == "fastest");
  CHECK(names_of(views[1]) == std::vector<std::string>{"ProfilerStep#5", "other", "gemm"});
  CHECK(views[1].slices[2].launch == -1);
  CHECK(views[1].shown_us == 0.04);
}

TEST_CASE("slowest, median and fastest are chosen over all processes") {
  Recorded one("one");
  Recorded two("two");
  one.add(job::SliceKind::annotation, "ProfilerStep#1", 0, 0, 50);
  one.add(job::SliceKind::annotation, "ProfilerStep#2", 0, 50, 20);
  two.add(job::SliceKind::annotation, "ProfilerStep#1", 0, 0, 90);
  two.add(job::SliceKind::annotation, "ProfilerStep#2", 0, 90, 30);
  const auto views = aggregate::step_views(indexed({&one, &two})).views;
  REQUIRE(views.size() == 4);
  CHECK(views[3].which == "step"); // the one that is left
  CHECK(views[3].process == "one");
  CHECK(views[3].number == 1);
  CHECK(views[0].process == "two");
  CHECK(views[0].number == 1);
  CHECK(views[1].which == "median");
  CHECK(views[1].process == "two"); // 20, 30, 50, 90: the lower of the middle two
  CHECK(views[1].number == 2);
  CHECK(views[2].process == "one");
  CHECK(views[2].number == 2);
}

TEST_CASE("one step is the only one, and no trace gives no view") {
  Recorded one("one");
  one.add(job::SliceKind::annotation, "ProfilerStep#1", 0, 0, 50);
  const auto views = aggregate::step_views(indexed({&one})).views;
  REQUIRE(views.size() == 1);
  CHECK(views[0].which == "only");
  const Recorded empty("empty");
  CHECK(aggregate::step_views(indexed({&empty})).views.empty());
  CHECK(aggregate::step_views({}).views.empty());
}

TEST_CASE("what overlaps without nesting lies on levels of its own") {
  Recorded one("one");
  one.add(job::SliceKind::annotation, "ProfilerStep#1", 0, 0, 100);
  one.add(job::SliceKind::annotation, "a", 0, 10, 30);
  one.add(job::SliceKind::annotation, "b", 0, 20, 40);
  one.add(job::SliceKind::op, "c", 0, 45, 5);
  one.add(job::SliceKind::op, "d", 0, 70, 5);
  const auto view = aggregate::step_views(indexed({&one})).views.front();
  std::vector<std::int32_t> depths;
  for (const result::StepSlice& slice : view.slices)
    depths.push_back(slice.depth);
  CHECK(depths == std::vector<std::int32_t>{0, 1, 2, 3, 1});
  CHECK(view.tracks[0].depth == 4);
}

TEST_CASE("the shortest slices give way, and launches follow") {
  const Recorded recorded = two_steps();
  const auto view = aggregate::step_views(indexed({&recorded}), 6).views.front();
  // Of the two equally short calls the first stays.
  CHECK(names_of(view) ==
        std::vector<std::string>{"ProfilerStep#4", "aten::mm", "launch", "other", "gemm", "late"});
  CHECK(view.dropped == 1);
  CHECK(view.slices[4].launch == 2);
  CHECK(view.slices[5].launch == -1);
}

TEST_CASE("without steps the beginning of the trace is shown") {
  Recorded one("one");
  for (int i = 0; i < 10; ++i)
    one.add(job::SliceKind::op, "aten::add", 0, 1000 + 10 * i, 5);
  const auto whole = aggregate::step_views(indexed({&one})).views;
  REQUIRE(whole.size() == 1);
  CHECK(whole[0].which == "only");
  CHECK_FALSE(whole[0].number);
  CHECK(whole[0].slices.size() == 10);
  CHECK(whole[0].shown_us == whole[0].us);
  const auto cut = aggregate::step_views(indexed({&one}), 4).views.front();
  CHECK(cut.slices.size() == 4);
  CHECK(cut.after_view == 6);
  CHECK(cut.dropped == 0);
  CHECK(cut.us == 0.095);
  CHECK(cut.shown_us == 0.04);
}

} // namespace test_step_views
