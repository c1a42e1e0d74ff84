#include "aggregate/trace/trace_maker.h"
#include "export/chrome_trace_file.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <fstream>

namespace test_chrome_trace_file {

using namespace debrief;
using nlohmann::json;

namespace {

Nanoseconds ns(double second) {
  return to_nanoseconds(test::at(second));
}

/// The events of a job's timeline, without names and order.
std::vector<json> exported(const job::Job& job, const char* from = "", const char* until = "") {
  const test::Folder folder;
  exports::write_chrome_trace(job, exports::RangeRequest{from, until, ""},
                              folder.path("timeline.json"));
  std::ifstream file{folder.path("timeline.json")};
  const json document = json::parse(file);
  std::vector<json> events;
  for (const json& event : document["traceEvents"])
    if (event["ph"] != "M") events.push_back(event);
  return events;
}

std::vector<json> of(const std::vector<json>& events, const char* phase) {
  std::vector<json> found;
  for (const json& event : events)
    if (event["ph"] == phase) found.push_back(event);
  return found;
}

} // namespace

TEST_CASE("a series is written from the sample before the range to the one after it") {
  job::Job job;
  job.metrics.push_back(
      test::series("algo-1", test::gpu(0), {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}));
  const auto counters = of(exported(job, "1.5", "3.5"), "C");
  REQUIRE(counters.size() == 4);
  CHECK(counters[0]["name"] == "GPUUtilization gpu0");
  CHECK(counters[0]["args"] == json{{"%", 1}});
  CHECK(counters[0]["ts"] == 1e6);
  CHECK(counters[3]["args"] == json{{"%", 4}});
}

TEST_CASE("timelines are there, and what came out of traces is not repeated") {
  job::Job job;
  test::Event step{"Step:ModeKeys.TRAIN"};
  step.start = 1;
  step.duration = 0.25;
  step.step = 7;
  test::Event profiled = step;
  profiled.kind = job::TimelineKind::pytorch_profiler;
  job.events = test::events({step, profiled});
  const auto slices = of(exported(job), "X");
  REQUIRE(slices.size() == 1);
  CHECK(slices[0]["dur"] == 250'000);
  CHECK(slices[0]["args"] == json{{"step", 7}});
}

TEST_CASE("launches point to their kernels, also to those that run after the range") {
  job::Job job;
  test::TraceMaker maker;
  maker.launched("early", ns(1), ns(1.5), ns(1.6));
  maker.launched("late", ns(2), ns(9), ns(9.5));
  maker.launched("later", ns(5), ns(9.5), ns(9.6));
  job.traces.push_back(maker.make());
  CHECK(of(exported(job), "s").size() == 3);
  const auto events = exported(job, "0.5", "2"); // after the first launch: 1.5 s to 3 s
  std::vector<std::string> kernels;
  for (const json& slice : of(events, "X"))
    if (slice["cat"] == "kernel") kernels.push_back(slice["name"]);
  CHECK(kernels == std::vector<std::string>{"early", "late"});
  const auto starts = of(events, "s"); // the first launch is before the range
  const auto ends = of(events, "f");
  REQUIRE(starts.size() == 1);
  REQUIRE(ends.size() == 1);
  CHECK(starts[0]["id"] == ends[0]["id"]);
  CHECK(starts[0]["ts"] == 1e6);
  CHECK(ends[0]["ts"] == 8e6);
}

TEST_CASE("slices of a thread that overlap without nesting are on lines of their own") {
  job::Job job;
  test::TraceMaker maker;
  maker.cpu(job::SliceKind::annotation, "a", ns(0), ns(2));
  maker.cpu(job::SliceKind::annotation, "b", ns(1), ns(3));
  job.traces.push_back(maker.make());
  const auto slices = of(exported(job), "X");
  REQUIRE(slices.size() == 2);
  CHECK(slices[0]["pid"] == slices[1]["pid"]);
  CHECK(slices[0]["tid"] != slices[1]["tid"]);
}

TEST_CASE("cycles of one process share its lines; other processes have their own") {
  job::Job job;
  for (const char* process : {"rank 0", "rank 0", "rank 1"}) {
    test::TraceMaker maker{process};
    maker.cpu(job::SliceKind::op, "aten::mm", ns(0), ns(1));
    job.traces.push_back(maker.make());
  }
  const auto slices = of(exported(job), "X");
  REQUIRE(slices.size() == 3);
  CHECK(slices[0]["tid"] == slices[1]["tid"]);
  CHECK(slices[0]["pid"] != slices[2]["pid"]);
  CHECK(slices[0]["tid"] != slices[2]["tid"]);
}

TEST_CASE("what the allocator did is a counter") {
  job::Job job;
  test::TraceMaker maker;
  maker.cpu(job::SliceKind::op, "aten::empty", ns(0), ns(1));
  job::MemoryEvent event;
  event.time = ns(0.5);
  event.allocated = 300;
  event.reserved = 400;
  event.gpu = true;
  event.device = 1;
  maker.trace().memory.push_back(event);
  job.traces.push_back(maker.make());
  const auto counters = of(exported(job), "C");
  REQUIRE(counters.size() == 1);
  CHECK(counters[0]["name"] == "GPU 1 memory");
  CHECK(counters[0]["args"] == json{{"allocated", 300}, {"reserved", 400}});
}

TEST_CASE("a job with nothing in it has no timeline") {
  const test::Folder folder;
  CHECK_THROWS_AS(exports::write_chrome_trace(job::Job{}, exports::RangeRequest{"", "", ""},
                                              folder.path("timeline.json")),
                  Error);
  CHECK(std::filesystem::is_empty(folder.path()));
}

} // namespace test_chrome_trace_file
