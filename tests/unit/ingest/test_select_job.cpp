#include "ingest/select_job.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_select_job {

using namespace debrief;

namespace {

/// Events of a second, each so many hours after the one before.
job::EventTableBuilder apart(std::size_t count, Microseconds hours) {
  job::EventTableBuilder columns;
  job::Timeline timeline;
  timeline.process = "algo-1-27";
  timeline.clock_known = true;
  job::EventTableBuilder::Event event;
  event.duration = kSecond;
  event.name = columns.names.intern("step");
  event.phase = columns.phases.intern("step");
  event.track = columns.track({columns.timeline(timeline), std::nullopt, std::nullopt});
  event.step = job::kNoStep;
  for (std::size_t i = 0; i < count; ++i) {
    event.start = kEarliestTime + static_cast<Microseconds>(i) * hours * kHour;
    columns.add(event);
  }
  return columns;
}

} // namespace

TEST_CASE("events count for the job in whose time they are") {
  job::EventTableBuilder events = apart(3, 2);
  job::EventTableBuilder::Event again;
  events.each([&](const job::EventTableBuilder::Event& event) { again = event; });
  again.start += 10 * kSecond;
  events.add(again);
  std::vector<job::MetricSeries> metrics;
  job::ReadingReport report;
  const auto span = ingest::select_job(metrics, events, {}, std::nullopt, report);
  REQUIRE(span);
  CHECK(span->length() == 11 * kSecond); // the last has two
  CHECK(events.size() == 2);
  REQUIRE(report.other_jobs.size() == 2);
  CHECK(report.other_jobs[0].events == 1);
  CHECK(report.other_jobs[1].events == 1);
}

// That its cost grows with their number alone is counted by tests/golden/test_growth.py.
TEST_CASE("a clock gone wild makes a job of every event") {
  job::EventTableBuilder events = apart(100'000, 2);
  std::vector<job::MetricSeries> metrics;
  job::ReadingReport report;
  CHECK(ingest::select_job(metrics, events, {}, std::nullopt, report));
  CHECK(report.other_jobs.size() == 99'999);
}

} // namespace test_select_job
