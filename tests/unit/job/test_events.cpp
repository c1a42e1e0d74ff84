#include "job/events.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace test_events {

using namespace debrief;

namespace {

job::EventTableBuilder one_event(const char* name, const char* phase, const job::Timeline& timeline,
                                 std::int64_t step) {
  job::EventTableBuilder columns;
  job::Track track;
  track.timeline = columns.timeline(timeline);
  job::EventTableBuilder::Event event;
  event.start = 100;
  event.duration = 7;
  event.name = columns.names.intern(name);
  event.phase = columns.phases.intern(phase);
  event.track = columns.track(track);
  event.step = step;
  columns.add(event);
  return columns;
}

job::Timeline process(const char* name) {
  job::Timeline timeline;
  timeline.process = name;
  return timeline;
}

} // namespace

TEST_CASE("tables of several files become one, with their own ids translated") {
  job::EventTableBuilder all = one_event("a", "first", process("p0"), 3);
  job::EventTableBuilder second = one_event("b", "second", process("p1"), job::kNoStep);
  job::EventDetails details;
  details.num_workers = 4;
  second.add_details(details);
  job::EventTableBuilder third = one_event("a", "second", process("p0"), 5);
  all.absorb(std::span{&second, 1});
  all.absorb(std::span{&third, 1});

  const job::EventTable table = std::move(all).finish();
  REQUIRE(table.size() == 3);
  CHECK(table.names.size() == 2);
  CHECK(table.timelines.size() == 2);
  CHECK(table.name_of(1) == "b");
  CHECK(table.name_of(2) == "a");
  CHECK(table.phase_of(2) == "second");
  CHECK(table.timeline_of(1).process == "p1");
  CHECK(table.timeline_of(2).process == "p0");
  CHECK(table.step_of(0) == 3);
  CHECK_FALSE(table.step_of(1));
  CHECK(table.step_of(2) == 5);
  REQUIRE(table.details.size() == 1);
  CHECK(table.details[0].row == 1);
  CHECK(table.details[0].num_workers == 4);
}

TEST_CASE("dropping events keeps the details of the others in place") {
  job::EventTableBuilder all;
  for (std::int64_t step = 0; step < 4; ++step) {
    job::EventTableBuilder next = one_event("e", "p", process("p0"), step);
    job::EventDetails details;
    details.worker_id = step;
    next.add_details(details);
    all.absorb(std::span{&next, 1});
  }
  all.filter([](const job::EventTableBuilder::Event& event) { return event.step % 2 == 1; });
  const job::EventTable table = std::move(all).finish();
  REQUIRE(table.size() == 2);
  REQUIRE(table.details.size() == 2);
  CHECK(table.details[0].row == 0);
  CHECK(table.details[0].worker_id == 1);
  CHECK(table.details[1].row == 1);
  CHECK(table.details[1].worker_id == 3);
}

TEST_CASE("a table without events is a table") {
  CHECK(job::EventTable{}.size() == 0);
  CHECK(job::EventTableBuilder{}.finish().size() == 0);
}

TEST_CASE("files of any size become one table in their order") {
  // Some fill chunks of their own, some share one with others.
  job::EventTableBuilder all;
  Microseconds next = 0;
  std::vector<std::int64_t> with_details;
  for (const int size : {3, 40'000, 0, 1, 2'000, 13'107, 1, 30'000}) {
    job::EventTableBuilder file;
    for (int i = 0; i < size; ++i) {
      job::EventTableBuilder::Event event;
      event.start = next++;
      event.name = file.names.intern(std::to_string(next % 5));
      event.phase = file.phases.intern("phase");
      event.track = file.track({file.timeline(process("p0")), std::nullopt, std::nullopt});
      file.add(event);
    }
    if (size > 0) {
      job::EventDetails details;
      details.bytes = next - 1;
      file.add_details(details);
      with_details.push_back(next - 1);
    }
    all.absorb(std::span{&file, 1});
  }
  CHECK(all.size() == static_cast<std::size_t>(next));
  all.filter([](const job::EventTableBuilder::Event& event) { return event.start % 3 != 1; });
  const job::EventTable table = std::move(all).finish();
  std::size_t row = 0;
  std::size_t detail = 0;
  for (Microseconds start = 0; start < next; ++start) {
    const bool has_details =
        std::find(with_details.begin(), with_details.end(), start) != with_details.end();
    if (start % 3 == 1) continue;
    REQUIRE(table.start[row] == start);
    REQUIRE(table.name_of(row) == std::to_string((start + 1) % 5));
    if (has_details) {
      CHECK(std::cmp_equal(table.details[detail].row, row));
      CHECK(table.details[detail++].bytes == start);
    }
    ++row;
  }
  CHECK(table.size() == row);
  CHECK(table.details.size() == detail);
}

TEST_CASE("a mode is what follows the first dot") {
  CHECK(job::mode_of("Step:ModeKeys.TRAIN") == "TRAIN");
  CHECK(job::mode_of("Step:ModeKeys.a.b") == "a.b");
  CHECK(job::mode_of("Step:ModeKeys") == "Step:ModeKeys");
  CHECK(job::mode_of("Step:ModeKeys.").empty());
  CHECK(job::mode_of("").empty());
}

} // namespace test_events
