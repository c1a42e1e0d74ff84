#include "ingest/join_stacks.h"
#include "ingest/stacks_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_join_stacks {

using namespace debrief;
using test::count_in;

namespace {

/// `runs`: lines of runs of the thread 0.
job::PythonStacks file(const std::string& process, const std::string& runs) {
  const std::string text = "debrief stacks 1\nprocess " + process +
                           "\nframe 0 own main (a.py:1)\nframe 1 own f" + process +
                           " (a.py:2)\nstack 0 -1 0\nstack 1 0 1\nthread 0 main\n" + runs;
  return std::move(*test::read_text(ingest::StacksReader{}, "a.stacks", text).python_stacks);
}

} // namespace

TEST_CASE("equal frames and stacks of several processes are one") {
  std::vector<job::PythonStacks> files;
  files.push_back(file("1", "1700000000000000 10 0 1\n"));
  files.push_back(file("2", "1700000000000000 10 0 1\n1700000000000010 10 0 0\n"));
  files.push_back(file("1", "1700000000000000 10 0 -1\n"));
  job::ReadingReport report;
  const job::PythonStacks joined = ingest::join_stacks(std::move(files), std::nullopt, report);
  CHECK(joined.processes.size() == 3);
  CHECK(joined.threads.size() == 3);
  CHECK(joined.frames.size() == 3);
  CHECK(joined.stacks.size() == 3);
  CHECK(joined.thread == std::vector<std::int32_t>{0, 1, 1, 2});
  CHECK(joined.stack == std::vector<std::int32_t>{1, 2, 0, -1});
  CHECK(joined.process_of(2).process == 2);
  CHECK(joined.stacks[2] == job::CallStack{0, 2});
  CHECK(report.skipped.empty());
  CHECK(report.repaired.empty());
}

TEST_CASE("runs that overlap are cut, in any order") {
  std::vector<job::PythonStacks> files;
  files.push_back(file("1", "1700000000000050 100 0 1 90\n1700000000000000 100 0 0\n"
                            "1700000000000010 20 0 0\n"));
  job::ReadingReport report;
  const job::PythonStacks joined = ingest::join_stacks(std::move(files), std::nullopt, report);
  CHECK(joined.start == std::vector<Microseconds>{1700000000000000, 1700000000000100});
  CHECK(joined.duration == std::vector<Microseconds>{100, 50});
  CHECK(joined.waited == std::vector<Microseconds>{0, 50});
  CHECK(count_in(report.repaired, "samples of Python stacks overlap") == 2);
}

TEST_CASE("samples of another job are left out") {
  std::vector<job::PythonStacks> files;
  files.push_back(file("1", "1700000000000000 10 0 1\n1700009000000000 10 0 1\n"));
  job::ReadingReport report;
  const job::PythonStacks joined =
      ingest::join_stacks(std::move(files), TimeSpan{test::at(0), test::at(60)}, report);
  CHECK(joined.size() == 1);
  CHECK(count_in(report.skipped, "sample of Python stacks of another job") == 1);
}

} // namespace test_join_stacks
