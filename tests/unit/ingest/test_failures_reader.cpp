#include "ingest/failures_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_failures_reader {

using namespace debrief;
using test::count_in;

namespace {

ingest::FileReading read(const std::string& text) {
  return test::read_text(ingest::FailuresReader{}, "failures/box-1.json", text);
}

} // namespace

TEST_CASE("failures of processes are read") {
  const ingest::FileReading reading = read(R"({"DebriefFailures": 1, "Host": "box", "Failures": [
    {"Process": 7, "Time": "2026-11-19T19:00:50.702949Z", "Parent": 3, "Rank": 1, "Attempt": 2,
     "Step": 312, "Type": "ValueError", "Message": "broken", "ExitCode": 1,
     "Frames": [{"File": "train.py", "Line": 9, "Function": "main"},
                {"File": "torch/a.py", "Line": 4, "Function": "f", "Library": true}]},
    {"Process": 8, "Signal": 9, "EndedCommand": true}]})");
  REQUIRE(reading.failures.size() == 2);
  const job::Failure& first = reading.failures[0];
  CHECK(first.type == "ValueError");
  CHECK(first.message == "broken");
  CHECK(first.time == 1795114850702949);
  CHECK(first.node == "box");
  CHECK(first.process == 7);
  CHECK(first.parent == 3);
  CHECK(first.rank == 1);
  CHECK(first.attempt == 2);
  CHECK(first.step == 312);
  CHECK(first.exit_code == 1);
  CHECK_FALSE(first.ended_command);
  CHECK(first.frames ==
        std::vector<job::Frame>{{"train.py", 9, "main", false}, {"torch/a.py", 4, "f", true}});
  CHECK(reading.failures[1].signal == 9);
  CHECK(reading.failures[1].ended_command);
  CHECK(reading.report.skipped.empty());
}

TEST_CASE("what is no failure is counted and left out") {
  const ingest::FileReading reading = read(R"({"DebriefFailures": 1, "Failures": [5, [], {},
    {"Type": 5, "ExitCode": 300, "Signal": -1, "Rank": 1.5, "Time": "noon", "Frames": [5, {}],
     "Line": null}]})");
  REQUIRE(reading.failures.size() == 2);
  CHECK(reading.failures[0] == job::Failure{});
  CHECK_FALSE(reading.failures[1].exit_code);
  CHECK(reading.failures[1].frames.size() == 1);
  CHECK(count_in(reading.report.skipped, "entry of a list of failures is none") == 2);
  CHECK(count_in(reading.report.skipped, "field of a list of failures has an unexpected value") ==
        5);
  CHECK(read("{\"DebriefFailures\": 1").report.damaged_files.size() == 1);
  CHECK(read("{\"DebriefFailures\": 1}").failures.empty());
}

TEST_CASE("texts and lists of failures have a bound") {
  const std::string text(10'000, 'x');
  std::string frames = R"({"File": ")" + text + "\"}";
  for (int i = 0; i < 100; ++i)
    frames += ", {}";
  std::string list =
      R"({"Type": ")" + text + R"(", "Message": ")" + text + R"(", "Frames": [)" + frames + "]}";
  for (int i = 0; i < 2000; ++i)
    list += ", {}";
  const ingest::FileReading reading = read(R"({"DebriefFailures": 1, "Failures": [)" + list + "]}");
  CHECK(reading.failures.size() == job::kMostFailures);
  CHECK(reading.failures[0].type.size() < 300);
  CHECK(reading.failures[0].message.size() < 400);
  CHECK(reading.failures[0].frames.size() == job::kMostFrames);
  CHECK(reading.failures[0].frames[0].file.size() < 300);
}

} // namespace test_failures_reader
