#include "ingest/stacks_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_stacks_reader {

using namespace debrief;
using test::count_in;

namespace {

constexpr const char* kPath = "stacks/box-7-1700000000000000.stacks";
constexpr const char* kNothing = "line of Python stacks says nothing";

ingest::FileReading read(const std::string& text, std::size_t piece = SIZE_MAX) {
  return test::read_text(ingest::StacksReader{}, kPath, "debrief stacks 1\n" + text, piece);
}

constexpr const char* kGood =
    "host box\nprocess 7\nparent 3\nkind loader_worker\nrank 1\n"
    "interval 33000\nframe 0 own <module> (train.py:30)\nstack 0 -1 0\n"
    "frame 1 package f (torch/a (copy).py:9)\nstack 1 0 1\n"
    "thread 0 main\nthread 1 reader 2\n"
    "1700000000000000 1000 0 1 400\n1700000000001000 500 1 0\n"
    "1700000000001500 500 1 -1\ninterval 40000\ncost 9 2000\n"
    "left threads 4\nleft frames 5\nleft stacks 6\nleft threads 8\nfull\n";

} // namespace

TEST_CASE("sampled stacks are read") {
  for (const std::size_t piece : {std::size_t{1}, SIZE_MAX}) {
    const ingest::FileReading reading = read(kGood, piece);
    CHECK(reading.report.skipped.empty());
    REQUIRE(reading.python_stacks);
    const job::PythonStacks& stacks = *reading.python_stacks;
    REQUIRE(stacks.processes.size() == 1);
    const job::SampledProcess& process = stacks.processes.front();
    CHECK(process.node == "box");
    CHECK(process.process == 7);
    CHECK(process.parent == 3);
    CHECK(process.rank == 1);
    CHECK(process.loader_worker);
    CHECK(process.interval == 40'000);
    CHECK(process.cpu == 9);
    CHECK(process.sampled == 2000);
    CHECK(process.threads_left_out == 8);
    CHECK(process.frames_left_out == 5);
    CHECK(process.stacks_left_out == 6);
    CHECK(process.full);
    REQUIRE(stacks.threads.size() == 2);
    CHECK(stacks.threads[0].is_main);
    CHECK(stacks.threads[1].name == "reader 2");
    CHECK(stacks.start ==
          std::vector<Microseconds>{1700000000000000, 1700000000001000, 1700000000001500});
    CHECK(stacks.duration == std::vector<Microseconds>{1000, 500, 500});
    CHECK(stacks.waited == std::vector<Microseconds>{400, 0, 0});
    CHECK(stacks.thread == std::vector<std::int32_t>{0, 1, 1});
    CHECK(stacks.stack == std::vector<std::int32_t>{1, 0, -1});
    CHECK(stacks.stacks[1] == job::CallStack{0, 1});
    const job::StackFrame& frame = stacks.frames[1];
    CHECK(stacks.texts[frame.function] == "f");
    CHECK(stacks.texts[frame.file] == "torch/a (copy).py");
    CHECK(frame.line == 9);
    CHECK(frame.origin == job::CodeOrigin::package);
  }
}

TEST_CASE("lines of sampled stacks that say nothing are counted") {
  const std::string good = kGood;
  for (const char* line : {"nonsense",
                           "",
                           "frame",
                           "frame 0 own g (a.py:1)",
                           "frame 9 mine g (a.py:1)",
                           "frame 9 own g (a.py)",
                           "frame 9 own g (a.py:x)",
                           "frame x own g (a.py:1)",
                           "frame 9 own g",
                           "stack 0 -1 0",
                           "stack 9 8 0",
                           "stack 9 0 8",
                           "stack 9 -2 0",
                           "stack 9 9 0",
                           "thread 0 again",
                           "thread 5",
                           "left cats 3",
                           "left threads -1",
                           "left threads x",
                           "cost 1",
                           "process x",
                           "rank -1",
                           "interval 1e3",
                           "host",
                           "1700000000000000 1000 0 7",
                           "1700000000000000 1000 7 0",
                           "1700000000000000 0 0 0",
                           "1700000000000000 -5 0 0",
                           "17 1000 0 0",
                           "1700000000000000 99999999999999 0 0",
                           "1700000000000000 1000 0 0 x",
                           "99999999999999999999 1 0 0"}) {
    const ingest::FileReading reading = read(good + line + "\n");
    CAPTURE(line);
    CHECK(count_in(reading.report.skipped, kNothing) == 1);
    CHECK(reading.python_stacks->size() == 3);
  }
}

TEST_CASE("a file of sampled stacks may end anywhere") {
  const std::string good = kGood;
  for (std::size_t size = 0; size < good.size(); ++size) {
    const ingest::FileReading reading = read(good.substr(0, size));
    CHECK(count_in(reading.report.skipped, kNothing) == 0);
    CHECK(reading.python_stacks->size() <= 3);
  }
}

TEST_CASE("a stack is no deeper than any that is written") {
  std::string text = "frame 0 own f (a.py:1)\nstack 0 -1 0\n";
  for (int depth = 1; depth < 1000; ++depth)
    text += "stack " + std::to_string(depth) + " " + std::to_string(depth - 1) + " 0\n";
  const ingest::FileReading reading = read(text);
  CHECK(reading.python_stacks->stacks.size() == job::kMostStackFrames);
}

TEST_CASE("processes that were left out are counted") {
  const std::string left = "host box\nleft processes 1\n";
  const ingest::FileReading reading = read(left + "debrief stacks 1\n" + left);
  CHECK(reading.report.skipped.empty());
  CHECK(reading.python_stacks->processes.empty());
  CHECK(reading.python_stacks->processes_left_out == 2);
}

TEST_CASE("sampled stacks are known by their first line") {
  CHECK(test::reader_for(kPath, "debrief stacks 1\nhost box\n") == "Python stacks");
  CHECK(test::reader_for("anything.txt", "debrief stacks 1\n") == "Python stacks");
  CHECK(test::reader_for(kPath, "debrief stacks 12\n") == "");
  CHECK(test::reader_for(kPath, "host box\n") == "");
}

} // namespace test_stacks_reader
