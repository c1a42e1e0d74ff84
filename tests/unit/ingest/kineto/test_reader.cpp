#include "trace_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_reader {

using namespace debrief;
using test::count_in;
using test::names_of;
using test::op;
using test::read_trace;
using test::trace_of;
using Names = std::vector<std::string>;

namespace {

constexpr Nanoseconds kBase{1'700'000'000'000'000'000};

std::string join(const std::vector<std::string>& events) {
  return fmt::format("{}", fmt::join(events, ",\n"));
}

/// A good event, what the test is about, and another good event.
ingest::FileReading read_between(const std::string& middle) {
  return read_trace(trace_of(op("first", 1, 1) + ",\n" + middle + ",\n" + op("last", 9, 1)));
}

} // namespace

TEST_CASE("operators, kernels, copies, annotations and memory are read with their details") {
  const ingest::FileReading out = read_trace(trace_of(join({
      op("aten::mm", 10, 5,
         R"("External id": 3, "Input Dims": [[8, 4], [4, 2]], "Input type": ["float", "float"])"),
      R"({"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#4", "pid": 605, "tid": 7, "ts": 1, "dur": 90.5})",
      R"({"ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 605, "tid": 7, "ts": 11, "dur": 1, "args": {"correlation": 9}})",
      R"({"ph": "X", "cat": "kernel", "name": "gemm", "pid": 0, "tid": 20, "ts": 20, "dur": 2, "args": {"device": 0, "stream": 20, "correlation": 9, "grid": [1, 2, 3], "block": [4, 5, 6]}})",
      R"x({"ph": "X", "cat": "gpu_memcpy", "name": "Memcpy HtoD", "pid": 0, "tid": 20, "ts": 30, "dur": 2, "args": {"device": 0, "stream": 20, "bytes": 4096, "memory bandwidth (GB/s)": 2.0}})x",
      R"({"ph": "X", "cat": "python_function", "name": "train.py(3): step", "pid": 605, "tid": 7, "ts": 1, "dur": 2})",
      R"({"ph": "X", "cat": "python_function", "name": "nn.Module: Linear_0", "pid": 605, "tid": 7, "ts": 2, "dur": 2})",
      R"({"ph": "i", "cat": "cpu_instant_event", "name": "[memory]", "pid": 605, "tid": 7, "ts": 5, "s": "t", "args": {"Bytes": 512, "Total Allocated": 512, "Total Reserved": 2048, "Device Type": 1, "Device Id": 0, "Addr": 99}})",
      R"({"ph": "s", "id": 9, "pid": 605, "tid": 7, "ts": 11, "cat": "ac2g", "name": "ac2g"})",
      R"x({"ph": "M", "name": "thread_name", "pid": 605, "tid": 7, "ts": 0, "args": {"name": "thread 605 (python3)"}})x",
      R"({"ph": "M", "name": "process_name"})",
  })));
  REQUIRE(out.trace);
  const job::Trace& trace = *out.trace;
  CHECK(names_of(out) == Names{"ProfilerStep#4", "nn.Module: Linear_0", "aten::mm",
                               "cudaLaunchKernel", "gemm", "Memcpy HtoD"});
  CHECK(trace.slices[0].start == kBase + Nanoseconds{1'000});
  CHECK(trace.slices[0].duration == Nanoseconds{90'500});
  CHECK(trace.slices[3].correlation == 9);
  CHECK(trace.slices[4].correlation == 9);
  REQUIRE(trace.tracks.size() == 2);
  CHECK(trace.tracks[0].name == "thread 605 (python3)");
  CHECK(trace.tracks[1].gpu);
  REQUIRE(trace.inputs.size() == 1);
  CHECK(trace.names[trace.inputs[0].dims] == "[[8, 4], [4, 2]]");
  REQUIRE(trace.launches.size() == 1);
  CHECK(trace.launches[0].block == std::array<std::int32_t, 3>{4, 5, 6});
  REQUIRE(trace.copies.size() == 1);
  CHECK(trace.copies[0].bytes == 4096);
  REQUIRE(trace.memory.size() == 1);
  CHECK(trace.memory[0].gpu);
  CHECK(trace.memory[0].reserved == 2048);
  CHECK(trace.counts.at("X cpu_op") == 1);
  CHECK(trace.counts.at("X python_function") == 2);
  CHECK(trace.counts.at("s ac2g") == 1);
  CHECK(trace.counts.at("M") == 2);
  CHECK(trace.clock_known);
  CHECK(out.report.sources.at("PyTorch traces").records == 11);
  CHECK(out.report.skipped.empty());
  CHECK(out.report.repaired.empty());
  CHECK(out.report.damaged_files.empty());
}

TEST_CASE("a broken event of a trace costs only itself") {
  for (const char* broken : {
           R"({"ph": "X", "cat": "cpu_op", "name": "a "quoted" name", "ts": 2, "dur": 1})",
           R"({"ph": "X", "cat": "cpu_op", "name": "no end, "ts": 2, "dur": 1})",
           R"({"ph": "X", "cat": "cpu_op", "name": "x", "ts": 2, "dur": 1, "args": {"a": [1, 2})",
           R"({"ph": "X", "cat": "cpu_op" "name": "x"})",
           R"({"ph": "X", "cat": "cpu_op", "name": tru})",
           R"x({"ph": "X",
[W1115 10:00:00.000 Module.cpp:12] Warning: it's {slow} (function operator())
 "cat": "cpu_op"})x",
       }) {
    CAPTURE(broken);
    const ingest::FileReading out = read_between(broken);
    CHECK(names_of(out) == Names{"first", "last"});
    CHECK(count_in(out.report.skipped, "event is not valid JSON") >= 1);
    CHECK(out.report.damaged_files.empty());
    CHECK(out.trace->clock_known); // the header was read
  }
}

TEST_CASE("log lines between events are passed, whatever brackets they have") {
  for (const char* line : {"[W1115 10:00:00 foo.cpp:12] Warning: lazy", "INFO done ]", "}", "]]"}) {
    CAPTURE(line);
    const ingest::FileReading out =
        read_trace(trace_of(op("first", 1, 1) + ",\n" + line + "\n" + op("last", 9, 1)));
    CHECK(names_of(out) == Names{"first", "last"});
    CHECK(count_in(out.report.skipped, "text between events") == 1);
  }
}

TEST_CASE("bytes that are not UTF-8 and control characters are repaired") {
  const ingest::FileReading utf8 = read_between(op("a\xFF\xFE"
                                                   "b",
                                                   2, 1));
  CHECK(names_of(utf8) == Names{"first", "a??b", "last"});
  CHECK(count_in(utf8.report.repaired, "bytes that are not UTF-8 replaced by '?'") == 1);
  CHECK(utf8.report.skipped.empty());
  const ingest::FileReading control = read_between(op("a\tb", 2, 1));
  CHECK(names_of(control) == Names{"first", "a b", "last"});
  CHECK(count_in(control.report.repaired, "control characters in a text replaced by spaces") == 1);
}

TEST_CASE("NaN and Infinity are taken as absent and counted") {
  const ingest::FileReading out =
      read_between(op("a", 2, 1, R"("External id": NaN, "flops": -Infinity)"));
  CHECK(names_of(out) == Names{"first", "a", "last"});
  CHECK(count_in(out.report.repaired, "NaN or Infinity taken as absent") == 1);
}

TEST_CASE("events without a time or a possible duration are skipped and counted") {
  const auto event = [](const char* times) {
    return fmt::format(R"({{"ph": "X", "cat": "cpu_op", "name": "x", "pid": 1, "tid": 1{}}})",
                       times);
  };
  const auto reason = [&](const char* times, const char* expected) {
    const ingest::FileReading out = read_between(event(times));
    CHECK(names_of(out) == Names{"first", "last"});
    CHECK(count_in(out.report.skipped, expected) == 1);
  };
  reason(R"(, "dur": 1)", "event has no time");
  reason(R"(, "ts": null, "dur": 1)", "event has no time");
  reason(R"(, "ts": 99999999999999999999, "dur": 1)", "event has no time");
  reason(R"(, "ts": 1)", "event has no duration");
  reason(R"(, "ts": 1, "dur": -3)", "event has a negative duration");
  reason(R"(, "ts": 900000000000000, "dur": 900000000000000000)", "event has no duration");
}

TEST_CASE("an event far from all others is skipped, and does not stretch the trace") {
  std::vector<std::string> events;
  for (int i = 0; i < 10; ++i)
    events.push_back(op("op", 10.0 * i, 5));
  events.push_back(op("years before", -1e14, 1));
  events.push_back(op("days long", 50, 3e11));
  events.push_back(
      R"({"ph": "i", "name": "[memory]", "pid": 605, "tid": 7, "ts": 9e12, "args": {"Bytes": 1, "Device Type": 0}})");
  const ingest::FileReading out = read_trace(trace_of(join(events)));
  CHECK(out.trace->slices.size() == 10);
  CHECK(out.trace->memory.empty());
  CHECK(out.trace->span() == std::pair{kBase, kBase + Nanoseconds{95'000}});
  CHECK(count_in(out.report.skipped,
                 "event lies more than an hour and 20 trace lengths from the others") == 3);
}

TEST_CASE("a base that leads out of time is none") {
  const ingest::FileReading out = read_trace(
      R"({"baseTimeNanoseconds": 9223372036854775807, "traceEvents": [)" + op("a", 10, 5) + "]}");
  CHECK(names_of(out) == Names{"a"});
  CHECK(out.trace->slices[0].start == Nanoseconds{10'000});
  CHECK_FALSE(out.trace->clock_known);
}

TEST_CASE("what the trace says about itself may follow its events, or be missing") {
  const ingest::FileReading after =
      read_trace("{\"traceEvents\": [" + op("a", 1, 1) +
                 "], \"deviceProperties\": [{\"id\": 0, \"name\": \"A\"}, " +
                 "{\"id\": 1, \"name\": \"B\"}], \"baseTimeNanoseconds\": 1700000000000000000}");
  CHECK(after.trace->gpus.size() == 2);
  CHECK(after.trace->clock_known);
  CHECK(after.report.damaged_files.empty());
  const ingest::FileReading bare = read_trace("[" + op("a", 1, 1) + "]");
  CHECK(names_of(bare) == Names{"a"});
  CHECK_FALSE(bare.trace->clock_known);
  CHECK(bare.report.damaged_files.empty());
  CHECK(names_of(read_trace("{\"traceEvents\": []}")).empty());
}

TEST_CASE("a bare list of events is a PyTorch trace by its categories") {
  CHECK(test::reader_for("t.json", "[" + op("a", 1, 1) + "]") == "PyTorch traces");
  CHECK(test::reader_for("t.json", R"([{"ph": "X", "name": "a"}])") == "Framework timelines");
}

TEST_CASE("a trace that is cut off is read up to the cut, and says where and what was lost") {
  const std::string whole = trace_of(op("first", 1, 1) + ",\n" + op("last", 9, 1));
  const auto lost = [&](std::size_t size) {
    const ingest::FileReading out = read_trace(whole.substr(0, size));
    const auto& damage = out.report.damaged_files;
    const auto found = damage.find("trace is cut off: its end is missing");
    return std::pair{names_of(out), found == damage.end() ? "" : found->second.first_seen};
  };
  const std::size_t last =
      whole.find("  {\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"last\"");
  const auto at = [&](std::size_t size) {
    return fmt::format("{}, byte {}", test::kTracePath, size);
  };
  CHECK(lost(last + 22) ==
        std::pair{Names{"first"}, at(last + 22) + ", 20 bytes of an unfinished event"});
  CHECK(lost(last) == std::pair{Names{"first"}, at(last)});
  const std::size_t end = whole.find("  ],");
  CHECK(lost(end) == std::pair{Names{"first", "last"}, at(end)});
  CHECK(lost(end + 3) == std::pair{Names{"first", "last"}, at(end + 3)});
  CHECK(lost(whole.size() - 3) == std::pair{Names{"first", "last"}, at(whole.size() - 3)});
  CHECK(lost(whole.size() - 1) == std::pair{Names{"first", "last"}, std::string{}}); // a line break
  const ingest::FileReading header = read_trace(whole.substr(0, 30));
  CHECK_FALSE(header.trace);
  CHECK(count_in(header.report.damaged_files, "no list of events in the file") == 1);
}

TEST_CASE("slices are by track, then start, then the longest first; repeated events are dropped") {
  const ingest::FileReading out = read_trace(trace_of(join({
      op("inner", 10, 2),
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7, "ts": 12, "dur": 1})",
      op("outer", 10, 9),
      op("before", 1, 2),
      op("inner", 10, 2),
      R"({"ph": "X", "cat": "kernel", "name": "early", "pid": 0, "tid": 7, "ts": 0, "dur": 1})",
  })));
  CHECK(names_of(out) == Names{"before", "outer", "inner", "early", "k"});
  CHECK(count_in(out.report.repaired, "repeated event dropped") == 1);
}

TEST_CASE("texts for processes and threads become tracks") {
  const ingest::FileReading out = read_trace(trace_of(join({
      R"({"ph": "X", "cat": "cpu_op", "name": "a", "pid": "Spans", "tid": "thread 12", "ts": 1, "dur": 1})",
      R"({"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": "stream 7", "ts": 1, "dur": 1})",
  })));
  REQUIRE(out.trace->tracks.size() == 2);
  CHECK(out.trace->tracks[0].process == -1);
  CHECK(out.trace->tracks[0].id == 12);
  CHECK(out.trace->tracks[1].id == 7);
}

TEST_CASE("shapes on lines of their own are the same shapes") {
  const ingest::FileReading out =
      read_trace(trace_of(op("a", 1, 1, "\"Input Dims\": [[8, 4], []]") + ",\n" +
                          op("b", 3, 1, "\"Input Dims\": [\n  [\n8,\n 4],\n  []\n]")));
  CHECK(out.trace->inputs.size() == 1);
  CHECK(out.trace->names[out.trace->inputs[0].dims] == "[[8, 4], []]");
}

TEST_CASE("events that all lack a bracket are passed in linear time") {
  std::string events;
  for (int i = 0; i < 100'000; ++i)
    events += R"(  {"name": "x", "args": {"a": 1 },)"
              "\n";
  const ingest::FileReading out = read_trace(trace_of(events + op("last", 9, 1)));
  CHECK(names_of(out) == Names{"last"});
}

TEST_CASE("events that seem to go on to the end of the file take linear time") {
  for (const std::string pattern : {R"({"n":[{},{"name":!,)", R"({"ts":[},)"}) {
    std::string events;
    while (events.size() < std::size_t{2} * 1024 * 1024)
      events += pattern;
    const ingest::FileReading reading = read_trace(trace_of(events));
    CHECK(names_of(reading).empty());
    CHECK(count_in(reading.report.skipped, "event is not valid JSON") > 100);
  }
}

} // namespace test_reader
