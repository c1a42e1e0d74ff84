#include "aggregate/data_loading.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_data_loading {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::Event;

namespace {

result::DataLoading loading_of(const std::vector<Event>& list,
                               std::optional<std::int64_t> cores = 4) {
  const job::EventTable events = test::events(list);
  return aggregate::data_loading(events, aggregate::EventKinds{events}, cores);
}

/// "0-2: 1, 3: 4": seconds after the tests' own time, and the loaders in them.
std::string loaders_of(const std::vector<Event>& list) {
  const job::EventTable events = test::events(list);
  std::string text;
  for (const aggregate::LoadersRun& run :
       aggregate::loaders_per_second(events, aggregate::EventKinds{events})) {
    const std::int64_t zero = test::at(0) / kSecond;
    text += (text.empty() ? "" : ", ") + std::to_string(run.first - zero) +
            (run.last > run.first ? "-" + std::to_string(run.last - zero) : "") + ": " +
            std::to_string(run.loaders);
  }
  return text;
}

Event worker(double start, double duration, std::optional<std::int64_t> id = {},
             std::optional<std::int64_t> pid = {}) {
  Event event{.phase = "DataLoaderWorker", .start = start, .duration = duration, .pid = pid};
  event.details.worker_id = id;
  return event;
}

Event next(double start, double duration) {
  return {.phase = "DataLoaderIter", .start = start, .duration = duration};
}

} // namespace

TEST_CASE("workers are told apart by their ids") {
  CHECK(loaders_of({worker(0.5, 2, 0), worker(1.2, 0.2, 1), worker(1.5, 0.2, 1)}) ==
        "0: 1, 1: 2, 2: 1");
  // A new iterator's workers are new processes with the same ids.
  CHECK(loaders_of({worker(0.1, 0.1, 0, 100), worker(0.5, 0.1, 0, 200)}) == "0: 1");
}

TEST_CASE("workers without ids are told apart by their processes") {
  CHECK(loaders_of({worker(0, 0.5, {}, 41), worker(0, 0.5, {}, 42), worker(0.6, 0.2, {}, 42)}) ==
        "0: 2");
  CHECK(loaders_of({worker(0, 0.5), worker(0.6, 0.2)}) == "0: 1"); // nothing to tell them apart
}

TEST_CASE("the same worker of two processes is two") {
  std::vector<Event> list(2, worker(0, 0.5, 0));
  list[1].process = "algo-1-28";
  CHECK(loaders_of(list) == "0: 2");
}

TEST_CASE("without workers the processes load for themselves") {
  CHECK(loaders_of({next(0, 0.5), next(3, 2.5)}) == "0: 1, 3-5: 1");
  CHECK(loaders_of({next(0, 0.5), next(1, 0.5), worker(0, 0.5, 0)}) == "0: 1"); // those do not
}

TEST_CASE("a number of loaders that stays is one run") {
  CHECK(loaders_of({worker(0, 0.5, 0), worker(1, 0.5, 1), worker(2, 0.5, 2)}) == "0-2: 1");
}

TEST_CASE("loaders without a known clock are in no second, but take their time") {
  std::vector<Event> list = {worker(0, 2, 0)};
  list[0].clock_known = false;
  CHECK(loaders_of(list).empty());
  const auto found = loading_of(list);
  CHECK_FALSE(found.loaders);
  CHECK(found.times.at(0).p50 == 2);
}

TEST_CASE("the median number of loaders is over seconds") {
  CHECK_FALSE(aggregate::median_loaders({}));
  CHECK(aggregate::median_loaders({{3, 1}}) == 3);
  CHECK(aggregate::median_loaders({{1, 5}, {6, 6}}) == 6);
  CHECK(aggregate::median_loaders({{1, 6}, {6, 5}}) == 1);
  CHECK(aggregate::median_loaders({{1, 2}, {2, 1}, {9, 2}}) == 2);
}

TEST_CASE("durations have numpy's percentiles, and outliers above twice the median") {
  // numpy.percentile([0.1, 0.2, 0.3, 0.4, 1.5], [25, 50, 95])
  const auto found =
      loading_of({worker(0, 0.1), worker(1, 1.5), worker(3, 0.3), worker(4, 0.4), worker(5, 0.2)});
  REQUIRE(found.times.size() == 2);
  CHECK(found.times[0].what == result::LoadKind::load);
  CHECK(found.times[1].what == result::LoadKind::worker);
  CHECK(found.times[1].count == 5);
  CHECK_THAT(*found.times[1].mean, WithinAbs(0.5, 1e-12));
  CHECK(found.times[1].min == 0.1);
  CHECK(found.times[1].p25 == 0.2);
  CHECK(found.times[1].p50 == 0.3);
  CHECK_THAT(found.times[1].p95, WithinAbs(1.28, 1e-12));
  CHECK(found.times[1].max == 1.5);
  CHECK(found.times[1].outliers == 1);
  CHECK(found.times[1].histogram.counts.size() == 100);
}

TEST_CASE("a batch lasts from one call to the next of the same process") {
  std::vector<Event> list = {next(3, 0.1), next(0, 0.1), next(1, 0.1), next(3, 0.1), next(50, 0.1)};
  list[4].process = "algo-1-28"; // no second call
  const auto found = loading_of(list);
  REQUIRE(found.times.size() == 3);
  CHECK(found.times[0].what == result::LoadKind::load);
  CHECK(found.times[0].count == 5);
  CHECK(found.times[1].what == result::LoadKind::get_next);
  CHECK(found.times[2].what == result::LoadKind::batch);
  CHECK(found.times[2].count == 2); // 0 to 1 and 1 to 3
  CHECK(found.times[2].min == 1);
  CHECK(found.times[2].max == 2);
}

TEST_CASE("a batch size is known where all loaders have the same") {
  std::vector<Event> list(3, {.phase = "DataLoaderIterInitialize", .duration = 0.5});
  list[0].details.batch_size = 64;
  list[2].details.batch_size = 64;
  CHECK(loading_of(list).batch_size == 64);
  list[1].details.batch_size = 256; // of evaluation, say
  CHECK_FALSE(loading_of(list).batch_size);
}

TEST_CASE("set-up says what was configured, the last where it changed") {
  std::vector<Event> list(3, {.phase = "DataLoaderIterInitialize", .duration = 0.5});
  list[0].details.num_workers = 2;
  list[0].details.pin_memory = true;
  list[1].details.num_workers = 8;
  list.push_back(worker(0, 1, 0));
  list.back().details.num_workers = 99; // no set-up
  const auto found = loading_of(list);
  CHECK(found.initializations == 3);
  CHECK(found.num_workers == 8);
  CHECK(found.pin_memory == true);
  CHECK(found.cores == 4);
  CHECK(found.loaders == 1);
  CHECK(found.times.back().what == result::LoadKind::initialize);
  CHECK(found.times.back().count == 3);
  CHECK_FALSE(loading_of(list, {}).cores);
}

TEST_CASE("a job that loads nothing says nothing") {
  CHECK(loading_of({}).empty());
  const auto found = loading_of({{.phase = "Forward", .duration = 1}});
  CHECK(found.empty());
  CHECK_FALSE(found.cores);
  CHECK(found.initializations == 0);
}

TEST_CASE("of an even number of seconds the median lies in the middle") {
  // int(numpy.median([2, 2, 2, 4, 4, 4])), int(numpy.median([1, 4]))
  CHECK(aggregate::median_loaders({{2, 3}, {4, 3}}) == 3);
  CHECK(aggregate::median_loaders({{1, 1}, {4, 1}}) == 2);
  CHECK(aggregate::median_loaders({{2, 4}}) == 2);
}

TEST_CASE("the loaders of one node are counted, of the one that loads most") {
  std::vector<Event> list = {worker(0, 0.5, 0), worker(0, 0.5, 1), worker(0, 0.5, 0)};
  list[2].node = "algo-2";
  list[2].process = "algo-2-27";
  CHECK(loaders_of(list) == "0: 2");
  const job::EventTable events = test::events(list);
  CHECK(aggregate::loading_node(events, aggregate::EventKinds{events}) == "algo-1");
  CHECK(
      aggregate::loading_node(job::EventTable{}, aggregate::EventKinds{job::EventTable{}}).empty());
}

TEST_CASE("traces record waits for data, not who loads it nor all of it") {
  std::vector<Event> list = {next(0, 0.5), next(1, 0.5), next(500, 0.5)};
  for (Event& event : list)
    event.kind = job::TimelineKind::pytorch_profiler;
  const auto found = loading_of(list);
  CHECK(found.source == result::kFromTraces);
  CHECK_FALSE(found.loaders);
  CHECK_FALSE(found.initializations);
  CHECK(loaders_of(list).empty());
  REQUIRE(found.times.size() == 2); // no "batch": 498 seconds between two cycles are none
  CHECK(found.times[0].what == result::LoadKind::load);
  CHECK(found.times[1].what == result::LoadKind::get_next);
  CHECK(loading_of({next(0, 1)}).source == result::kFromTimelines);
  CHECK(loading_of({}).source.empty());
}

} // namespace test_data_loading
