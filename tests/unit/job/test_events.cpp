#include "job/events.h"

#include <arrow/array/array_primitive.h>
#include <catch2/catch_test_macros.hpp>

using namespace debrief;

namespace {

EventColumns one_event(const char* name, const char* phase, const Timeline& timeline,
                       std::int64_t step) {
  EventColumns columns;
  Track track;
  track.timeline = columns.timeline(timeline);
  EventColumns::Event event;
  event.start = 100;
  event.duration = 7;
  event.name = columns.names.intern(name);
  event.phase = columns.phases.intern(phase);
  event.track = columns.track(track);
  event.step = step;
  columns.add(event);
  return columns;
}

Timeline process(const char* name) {
  Timeline timeline;
  timeline.process = name;
  return timeline;
}

} // namespace

TEST_CASE("tables of several files become one, with their own ids translated") {
  EventColumns all = one_event("a", "first", process("p0"), 3);
  EventColumns second = one_event("b", "second", process("p1"), EventColumns::kNoStep);
  EventDetails details;
  details.num_workers = 4;
  second.add_details(details);
  EventColumns third = one_event("a", "second", process("p0"), 5);
  all.absorb(std::move(second));
  all.absorb(std::move(third));

  const EventTable table = std::move(all).finish();
  REQUIRE(table.size() == 3);
  CHECK(table.names.size() == 2);
  CHECK(table.timelines.size() == 2);
  CHECK(table.name_of(1) == "b");
  CHECK(table.name_of(2) == "a");
  CHECK(table.phase_of(2) == "second");
  CHECK(table.timeline_of(1).process == "p1");
  CHECK(table.timeline_of(2).process == "p0");
  CHECK(table.step->Value(0) == 3);
  CHECK(table.step->IsNull(1));
  CHECK(table.step->Value(2) == 5);
  REQUIRE(table.details.size() == 1);
  CHECK(table.details[0].row == 1);
  CHECK(table.details[0].num_workers == 4);
}

TEST_CASE("dropping events keeps the details of the others in place") {
  EventColumns all;
  for (std::int64_t step = 0; step < 4; ++step) {
    EventColumns next = one_event("e", "p", process("p0"), step);
    EventDetails details;
    details.worker_id = step;
    next.add_details(details);
    all.absorb(std::move(next));
  }
  all.filter([](const EventColumns::Event& event) { return event.step % 2 == 1; });
  const EventTable table = std::move(all).finish();
  REQUIRE(table.size() == 2);
  REQUIRE(table.details.size() == 2);
  CHECK(table.details[0].row == 0);
  CHECK(table.details[0].worker_id == 1);
  CHECK(table.details[1].row == 1);
  CHECK(table.details[1].worker_id == 3);
}

TEST_CASE("a table without events is a table") {
  CHECK(EventTable{}.size() == 0);
  CHECK(EventColumns{}.finish().size() == 0);
}
