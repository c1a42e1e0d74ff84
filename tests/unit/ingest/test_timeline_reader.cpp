#include "ingest/timeline_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_timeline_reader {

using namespace debrief;
using test::count_in;

namespace {

const ingest::TimelineReader reader;
const std::string path =
    "framework/pevents/2020071317/1594662624718694_27-algo-1_pythontimeline.json";
constexpr Microseconds kBase = 1594662605425850;

const std::string header =
    R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1594662605425850}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "process_name", "ph": "M", "pid": 1, "args": {"name": "Step:ModeKeys.TRAIN"}},
)";

/// A file that has been read, with events that can be looked at by row.
struct Read {
  ingest::FileReading reading;

  const job::EventTableBuilder& events() const { return reading.events; }

  job::EventTableBuilder::Event operator[](std::size_t row) const {
    job::EventTableBuilder::Event found;
    events().each([&](const job::EventTableBuilder::Event& event) {
      if (row-- == 0) found = event;
    });
    return found;
  }

  std::string_view name(std::size_t row) const { return events().names[(*this)[row].name]; }

  std::string_view phase(std::size_t row) const { return events().phases[(*this)[row].phase]; }

  std::uint64_t skipped(const char* reason) const {
    return count_in(reading.report.skipped, reason);
  }
};

Read read(const std::string& text, const std::string& at = path,
          const std::vector<std::string>& all_paths = {}) {
  return {test::read_text(reader, at, text, SIZE_MAX, all_paths)};
}

} // namespace

TEST_CASE("steps have their phase, absolute time, duration and number") {
  const Read out = read(
      header +
      R"({"name": "Step:ModeKeys.TRAIN", "pid": 1, "ph": "X", "ts": 2664345, "dur": 9020725, "args": {"pid": 905, "step_num": "0"}},
{"name": "aten::add", "pid": 1, "ph": "X", "ts": 5, "dur": 0.6, "args": {"step_num": 7, "tid": 3}}
])");
  REQUIRE(out.events().size() == 2);
  CHECK(out.phase(0) == "Step:ModeKeys.TRAIN");
  CHECK(out[0].start == kBase + 2664345);
  CHECK(out[0].duration == 9020725);
  CHECK(out[0].step == 0);
  CHECK(out[1].duration == 1); // rounded
  CHECK(out[1].step == 7);
  CHECK(out.events().timeline_of(out[0]).process == "algo-1-27");
  CHECK(out.events().timeline_of(out[0]).clock_known);
  CHECK(out.reading.report.sources.at("Framework timelines").records == 5);
  CHECK(out.reading.report.skipped.empty());
}

TEST_CASE("a phase with the header's index 0 is named by the later M event") {
  const Read out = read(R"([
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1594662605425850}},
{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "Step:ModeKeys.EVAL"}},
{"name": "process_sort_index", "ph": "M", "pid": 0, "args": {"sort_index": 0}},
{"name": "Step:ModeKeys.EVAL", "pid": 0, "ph": "X", "ts": 10, "dur": 5},
{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": "Step:ModeKeys.EVAL"}},
{"name": "Step:ModeKeys.EVAL", "pid": 0, "ph": "X", "ts": 20, "dur": 5}
])");
  REQUIRE(out.events().size() == 2);
  CHECK(out.phase(0) == "Step:ModeKeys.EVAL");
  CHECK(out[1].start == kBase + 20);
}

TEST_CASE("a repeated header moves the clock from there on") {
  const Read out = read(header + R"({"name": "a", "pid": 1, "ph": "X", "ts": 1, "dur": 1},
{"name": "process_name", "ph": "M", "pid": 0, "args": {"start_time_since_epoch_in_micros": 1594662700000000}},
{"name": "b", "pid": 1, "ph": "X", "ts": 1, "dur": 1}
])");
  REQUIRE(out.events().size() == 2);
  CHECK(out[0].start == kBase + 1);
  CHECK(out[1].start == 1594662700000001);
}

TEST_CASE("begins and ends are matched within a phase") {
  const Read out =
      read(header + R"({"name": "process_name", "ph": "M", "pid": 2, "args": {"name": "tensor"}},
{"ph": "B", "name": "NEGOTIATE_ALLREDUCE", "ts": 100, "pid": 1},
{"ph": "B", "name": "OTHER", "ts": 110, "pid": 2},
{"ph": "B", "name": "ALLREDUCE", "ts": 120, "pid": 1},
{"ph": "E", "ts": 150, "pid": 1},
{"ph": "E", "ts": 200, "pid": 1},
{"ph": "E", "ts": 210, "pid": 1},
{"ph": "i", "name": "CYCLE_START", "ts": 5, "s": "g"}
])");
  REQUIRE(out.events().size() == 2);
  CHECK(out.name(0) == "ALLREDUCE");
  CHECK(out[0].duration == 30);
  CHECK(out.name(1) == "NEGOTIATE_ALLREDUCE");
  CHECK(out[1].duration == 100);
  CHECK(out.skipped("event has an end and no begin") == 1);
  CHECK(out.skipped("event has a begin and no end") == 1);
}

TEST_CASE("data-loader arguments are kept") {
  Read out = read(
      header +
      R"({"name": "_MultiProcessingDataLoaderIter.__init__", "pid": 1, "ph": "X", "ts": 1, "dur": 1, "args": {"num_workers": 2, "pin_memory": false}},
{"name": "worker", "pid": 1, "ph": "X", "ts": 2, "dur": 1, "args": {"worker_id": 1, "bytes_fetched": 4096}}
])");
  const job::EventTable table = std::move(out.reading.events).finish();
  REQUIRE(table.details.size() == 2);
  CHECK(table.details[0].num_workers == 2);
  CHECK(table.details[0].pin_memory == false);
  CHECK(table.details[1].worker_id == 1);
  CHECK(table.details[1].bytes == 4096);
}

TEST_CASE("events without a clock keep their durations and say so") {
  const Read out = read(R"([{"ph": "X", "name": "4", "ts": 77575718043, "pid": 1, "dur": 3}])",
                        "horovod_timeline_small.json");
  REQUIRE(out.events().size() == 1);
  CHECK_FALSE(out.events().timeline_of(out[0]).clock_known);
  CHECK(out[0].duration == 3);
  CHECK(out.phase(0).empty());
}

TEST_CASE("absurd durations are dropped, a long step is not") {
  const Read out =
      read(header + R"({"name": "4", "pid": 1, "ph": "X", "ts": 1, "dur": 812355471858},
{"name": "slow step", "pid": 1, "ph": "X", "ts": 2, "dur": 7200000000}
])");
  REQUIRE(out.events().size() == 1);
  CHECK(out.name(0) == "slow step");
  CHECK(out.skipped("event lasts longer than its file") == 1);
}

TEST_CASE("an absurd duration of a Horovod tick is set to 0") {
  const Read out =
      read(header + R"({"name": "4", "pid": 1, "ph": "X", "ts": 1, "dur": 812355471858},
{"name": "ALLREDUCE", "pid": 1, "ph": "X", "ts": 1, "dur": 812355471858}
])",
           "1593673051473228_88359-host_horovod_timeline.json");
  REQUIRE(out.events().size() == 1);
  CHECK(out.name(0) == "4");
  CHECK(out[0].duration == 0);
  CHECK(count_in(out.reading.report.repaired, "absurd duration of a tick set to 0") == 1);
  CHECK(out.skipped("event lasts longer than its file") == 1);
}

TEST_CASE("events that cannot be placed are skipped with their reason") {
  const Read out = read(header + R"({"name": "a", "pid": 1, "ph": "X", "ts": 1},
{"name": "b", "pid": 1, "ph": "X", "ts": 1, "dur": -5},
{"name": "c", "pid": 1, "ph": "X", "dur": 5},
{"name": "d", "pid": 1, "ph": "X", "ts": 1e300, "dur": 5},
{"name": "e", "pid": 1, "ph": "X", "ts": 8e15, "dur": 5},
{"name": "f", "pid": 1, "ph": "X", "ts": "soon", "dur": 5},
{"name": "g", "pid": 1, "ph": "X", "ts": 1, "dur": 5},
{}
])");
  REQUIRE(out.events().size() == 1);
  CHECK(out.name(0) == "g");
  CHECK(out.skipped("event has no duration") == 1);
  CHECK(out.skipped("event has a negative duration") == 1);
  CHECK(out.skipped("event has no time") == 3);
  CHECK(out.skipped("event's time is not of this century") == 1);
}

TEST_CASE("an unclosed and a cut-off file give what they have") {
  const Read out = read(header + R"({"name": "a", "pid": 1, "ph": "X", "ts": 1, "dur": 1},
{"name": "b", "pid": 1, "ph)");
  CHECK(out.events().size() == 1);
  CHECK(out.skipped("file is cut off inside an event") == 1);
  const auto between = read(header + R"({"name": "a", "pid": 1, "ph": "X", "ts": 1, "dur": 1},)");
  CHECK(count_in(between.reading.report.damaged_files, "timeline is cut off: its end is missing") ==
        1);
  CHECK(count_in(read("not a trace").reading.report.damaged_files,
                 "no list of events in the file") == 1);
}

TEST_CASE("a TensorFlow trace counts from its neighbor's name") {
  const std::string folder = "framework/tensorflow/detailed_profiling/2020080513/000000000/";
  const std::string trace = folder + "plugins/profile/2020_08_05/host.trace.json.gz";
  const std::string text =
      R"({"displayTimeUnit":"ns","traceEvents":[{"ph":"M","pid":49,"name":"process_name","args":{"name":"/host:CPU"}},{"pid":49,"tid":7,"ts":116.457,"name":"train","ph":"X","dur":63929.2},{}]})";
  const Read placed =
      read(text, trace, {folder + "27-algo-1_1596659864545103_1596659864854168.metadata", trace});
  REQUIRE(placed.events().size() == 1);
  CHECK(placed[0].start == 1596659864545103 + 116);
  CHECK(placed.phase(0) == "/host:CPU");
  CHECK(placed.events().timeline_of(placed[0]).process == "algo-1-27");

  const Read adrift = read(text, trace);
  REQUIRE(adrift.events().size() == 1);
  CHECK_FALSE(adrift.events().timeline_of(adrift[0]).clock_known);
}

TEST_CASE("what follows a list of events that stands alone is seen, but for space") {
  const auto followed = [](const std::string& text) {
    return count_in(read(text).reading.report.damaged_files,
                    "something follows the list of events") == 1;
  };
  CHECK(followed("[{\"a\": 1}]\n[{\"b\": 2}]\n"));
  CHECK(followed("[]x"));
  CHECK_FALSE(followed("[{\"a\": 1}]\r\n \n"));
  CHECK_FALSE(followed("[{\"a\": 1}"));
  CHECK_FALSE(followed(R"({"traceEvents": [{"a": 1}], "more": [1]})"));
}

TEST_CASE("the outcome does not depend on where a timeline is cut into blocks") {
  std::string text = "[\n";
  for (int i = 0; i < 300; ++i) {
    const int pid = i % 7;
    if (i % 50 == 3)
      text += fmt::format(
          R"({{"name": "process_name", "ph": "M", "pid": 0, "args": {{"start_time_since_epoch_in_micros": {}}}}},)",
          kBase + i);
    if (i % 11 == 0)
      text += fmt::format(
          R"({{"name": "process_name", "ph": "M", "pid": {}, "args": {{"name": "phase {}"}}}},)",
          pid, i);
    text += fmt::format(
        R"({{"name": "op {}", "ph": "{}", "pid": {}, "ts": {}, "dur": {}, "args": {{"tid": {}, "worker_id": {}, "odd": [{{"name": 1}}, {{"ts": 2}}]}}}},)",
        i % 13, i % 3 == 0 ? "X" : (i % 3 == 1 ? "B" : "E"), pid, 1000 * i, i, i % 4, i);
    if (i % 17 == 0) text += "\n{\"name\": \"broken, \"ph\": 1},";
    text += "\n";
  }
  text += "{}]\n";
  const auto dump = [](ingest::FileReading reading) {
    std::string out;
    for (const auto* troubles : {&reading.report.skipped, &reading.report.repaired})
      for (const auto& [reason, trouble] : *troubles)
        out += fmt::format("{} {} {}\n", reason, trouble.count, trouble.first_seen);
    const job::EventTable table = std::move(reading.events).finish();
    const auto thread_of = [&](std::size_t row) {
      return table.tracks[static_cast<std::size_t>(table.track[row])].thread.value_or(-1);
    };
    for (std::size_t row = 0; row < table.size(); ++row)
      out += fmt::format("{} {} {} {} {} {}\n", table.start[row], table.duration[row],
                         table.name_of(row), table.phase_of(row), thread_of(row), table.step[row]);
    for (const job::EventDetails& details : table.details)
      out += fmt::format("{} {}\n", details.row, details.worker_id.value_or(-1));
    return out;
  };
  const auto in_blocks = [&](std::size_t size, std::size_t threads) {
    const ingest::TimelineReader blocks{{.block = size, .threads = threads}};
    return dump(test::read_text(blocks, path, text, SIZE_MAX, {}));
  };
  const std::string whole = in_blocks(text.size() + 1, 1);
  CHECK(whole.find("event is not valid JSON 18") != whole.npos);
  for (const std::size_t size : {300U, 1000U, 4096U, 20'000U})
    for (const std::size_t threads : {1U, 3U}) {
      CAPTURE(size, threads);
      CHECK(in_blocks(size, threads) == whole);
    }
}

TEST_CASE("timelines are told from other JSON") {
  const std::string name = "Framework timelines";
  CHECK(test::reader_for("x.json", header) == name);
  CHECK(test::reader_for("a.trace.json",
                         R"({"displayTimeUnit":"ns","traceEvents":[{"ph":"M"}]})") == name);
  CHECK(test::reader_for("a/pevents/1_2_pythontimeline.json", "rubbish") == name);
  CHECK(test::reader_for("x.json", "[1, 2, 3]").empty());
  const std::string pytorch = "PyTorch traces";
  CHECK(test::reader_for("algo-1.1794700102022946048.pt.trace.json", R"({"traceEvents": []})") ==
        pytorch);
  CHECK(test::reader_for("x.json", R"({"schemaVersion": 1, "traceEvents": [{"ph": "X"}]})") ==
        pytorch);
}

} // namespace test_timeline_reader
