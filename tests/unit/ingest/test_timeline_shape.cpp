#include "ingest/timeline_reader.h"
#include "ingest/timeline_shape.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <random>
#include <span>

namespace test_timeline_shape {

using namespace debrief;

namespace {

const ingest::TimelineReader reader;
const std::string path =
    "framework/pevents/2020071317/1594662624718694_27-algo-1_pythontimeline.json";
const std::string header =
    R"([{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1594662605425850}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}})";

/// Everything that is kept of the events of a file, and what was wrong with them.
struct Kept {
  std::vector<std::string> events;
  std::map<std::string, std::uint64_t> troubles;
};

Kept kept_of(const std::vector<std::string>& events) {
  std::string text = header;
  for (const std::string& event : events)
    text += ",\n" + event;
  ingest::FileReading reading = test::read_text(reader, path, text + "\n]", SIZE_MAX, {});
  Kept kept;
  reading.events.each([&](const job::EventTableBuilder::Event& event) {
    kept.events.push_back(
        fmt::format("{} in {} from {} for {}, step {}", reading.events.names[event.name],
                    reading.events.phases[event.phase], event.start, event.duration, event.step));
  });
  job::EventTableBuilder copy;
  copy.absorb(std::span{&reading.events, 1});
  const job::EventTable table = std::move(copy).finish();
  for (std::size_t row = 0; row < table.size(); ++row) {
    const job::Track& track = table.tracks[static_cast<std::size_t>(table.track[row])];
    kept.events[row] +=
        fmt::format(", process {}, thread {}", track.pid.value_or(-1), track.thread.value_or(-1));
  }
  for (const job::EventDetails& details : table.details)
    kept.events[static_cast<std::size_t>(details.row)] +=
        fmt::format(", {} bytes, {} workers, batch {}, worker {}, pinned {}",
                    details.bytes.value_or(-1), details.num_workers.value_or(-1),
                    details.batch_size.value_or(-1), details.worker_id.value_or(-1),
                    details.pin_memory ? (*details.pin_memory ? "yes" : "no") : "unknown");
  for (const auto& [reason, trouble] : reading.report.skipped)
    kept.troubles[reason] += trouble.count;
  for (const auto& [reason, trouble] : reading.report.repaired)
    kept.troubles[reason] += trouble.count;
  return kept;
}

/// In a file of its own an event has no earlier one that it could be like.
Kept kept_of_each(const std::vector<std::string>& events) {
  Kept all;
  for (const std::string& event : events) {
    const Kept one = kept_of({event});
    all.events.insert(all.events.end(), one.events.begin(), one.events.end());
    for (const auto& [reason, count] : one.troubles)
      all.troubles[reason] += count;
  }
  return all;
}

void check_alike(const std::vector<std::string>& events) {
  const Kept together = kept_of(events);
  const Kept alone = kept_of_each(events);
  CHECK(together.events == alone.events);
  CHECK(together.troubles == alone.troubles);
}

/// The values of an event that recorders write.
struct Values {
  std::string name = "aten::add";
  std::string pid = "1";
  std::string ph = "X";
  std::string ts = "100";
  std::string dur = "5";
  std::string step = "\"7\"";
  std::string device = "\"cpu\"";
  std::string tid = "3";
};

std::string event_of(const Values& values) {
  return fmt::format(
      R"({{"name": "{}", "pid": {}, "ph": "{}", "ts": {}, "dur": {}, "args": {{"step_num": {}, "device": {}, "tid": {}}}}})",
      values.name, values.pid, values.ph, values.ts, values.dur, values.step, values.device,
      values.tid);
}

/// Values that one place of an event may have: plain ones, and those that no shape can read.
const std::vector<std::string> numbers = {
    "0",    "8",    "123456789", "-4",  "12.5",
    "1e3",  "007",  "1.",        "-",   "99999999999999999999",
    "null", "true", "\"12\"",    "NaN", "\"-9\"",
    "[1]",  "{}",   "\"x\"",     "",    "123456789012345678"};
const std::vector<std::string> texts = {
    "a",        "aten::mul", "",          "b\\\"c", "\\u00e9",
    "\xC3\xA9", "bad\xFF",   "tab\there", "\\q",    "a much longer name than the others have",
    "}, {"};

} // namespace

TEST_CASE("events that repeat with other values are read as each alone") {
  std::vector<std::string> events;
  for (int i = 0; i < 50; ++i) {
    Values values;
    values.name = fmt::format("aten::op{}", i % 7);
    values.ts = std::to_string(1000 * i);
    values.dur = std::to_string(i * i);
    values.step = fmt::format("\"{}\"", i / 10); // new only from time to time
    events.push_back(event_of(values));
  }
  REQUIRE(kept_of(events).events.size() == 50);
  check_alike(events);
}

TEST_CASE("a value that changes after many events is seen") {
  for (std::string Values::*const place :
       {&Values::name, &Values::pid, &Values::ts, &Values::dur, &Values::step, &Values::tid}) {
    Values values;
    std::vector<std::string> events(20, event_of(values));
    values.*place = place == &Values::name ? "other" : "42";
    events.insert(events.end(), 20, event_of(values));
    events.push_back(event_of({}));
    check_alike(events);
  }
}

TEST_CASE("whatever stands in one place, an event is read as it is alone") {
  for (std::string Values::*const place :
       {&Values::pid, &Values::ts, &Values::dur, &Values::step, &Values::device, &Values::tid})
    for (const std::string& odd : numbers) {
      INFO("value " << odd);
      Values values;
      std::vector<std::string> events(3, event_of(values));
      values.*place = "41";
      events.push_back(event_of(values)); // the place varies
      values.*place = odd;
      events.push_back(event_of(values));
      events.push_back(event_of({}));
      check_alike(events);
    }
  for (std::string Values::*const place : {&Values::name, &Values::ph})
    for (const std::string& odd : texts) {
      INFO("text " << odd);
      Values values;
      std::vector<std::string> events(3, event_of(values));
      values.*place = odd;
      events.push_back(event_of(values));
      events.push_back(event_of({}));
      check_alike(events);
    }
}

TEST_CASE("of a key that comes twice the last one counts, whichever of the two varies") {
  for (const bool first_varies : {true, false}) {
    std::vector<std::string> events;
    for (int i = 0; i < 12; ++i) {
      const int first = first_varies ? 140 + i : 7;
      const int last = first_varies ? 7 : 140 + i;
      events.push_back(fmt::format(
          R"({{"name": "a{}", "ts": {}, "name": "b{}", "ph": "X", "pid": 1, "dur": 1, "args": {{"thread_id": {}, "tid": {}, "step_num": {}, "step_num": "{}"}}}})",
          first, i, last, first, last, first, last));
    }
    REQUIRE(kept_of(events).events.size() == 12);
    check_alike(events);
  }
}

TEST_CASE("events with very many members are read as each alone") {
  std::string members;
  for (int i = 0; i < 2000; ++i)
    members += fmt::format(R"(, "m{}": {})", i, i);
  std::vector<std::string> events;
  for (int i = 0; i < 20; ++i)
    events.push_back(
        i % 4 == 0
            ? fmt::format(R"({{"ph": "X", "name": "n{}", "ts": {}, "dur": 2{}}})", i, i, members)
            : event_of({.ts = std::to_string(i)}));
  check_alike(events);
}

TEST_CASE("events of many shapes in any order are read as each alone") {
  std::mt19937 random{16}; // NOLINT(cert-msc32-c, cert-msc51-cpp): always the same
  const auto one_of = [&](const std::vector<std::string>& all) {
    return all[random() % all.size()];
  };
  for (int round = 0; round < 20; ++round) {
    std::vector<std::string> events;
    for (int i = 0; i < 60; ++i) {
      Values values;
      values.name = fmt::format("op{}", random() % 5);
      values.ts = std::to_string(random() % 100'000);
      if (random() % 32 == 0) values.pid = "2";
      if (random() % 16 == 0) values.name = one_of(texts);
      if (random() % 16 == 0) values.dur = one_of(numbers);
      if (random() % 16 == 0) values.step = one_of(numbers);
      std::string event = event_of(values);
      switch (random() % 6) {
      case 0:
        event = fmt::format(R"({{"ph":"X","ts":{},"dur":{},"name":"{}","pid":1}})", values.ts,
                            values.dur, values.name);
        break;
      case 1:
        event = fmt::format(
            R"({{"name": "{}", "ph": "X", "pid": 1, "tid": 9, "ts": {}, "dur": 2, "args": {{"worker_id": {}, "pin_memory": {}, "batch_size": 32}}}})",
            values.name, values.ts, random() % 3, random() % 2 == 0 ? "true" : "false");
        break;
      default:
        break;
      }
      events.push_back(event);
    }
    check_alike(events);
  }
}

TEST_CASE("an event that the file's end cuts off is not taken for a whole one") {
  std::string text = header;
  for (int i = 0; i < 10; ++i)
    text += ",\n" + event_of({.ts = std::to_string(i)});
  const std::size_t whole = text.size();
  const std::size_t length = event_of({}).size();
  for (std::size_t cut = 0; cut <= length; ++cut) {
    const ingest::FileReading reading =
        test::read_text(reader, path, text.substr(0, whole - cut), SIZE_MAX, {});
    CHECK(reading.events.size() == (cut == 0 ? 10 : 9));
  }
}

} // namespace test_timeline_shape
