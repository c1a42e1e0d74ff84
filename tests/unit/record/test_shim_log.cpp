#include "record/shim_log.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <fstream>

namespace test_shim_log {

using namespace debrief;

namespace {

record::ShimLog parsed(std::string_view text) {
  record::ShimLog log;
  record::add_shim_lines(text, log);
  return log;
}

void append(const std::string& path, std::string_view text) {
  std::ofstream{path, std::ios::app} << text;
}

} // namespace

TEST_CASE("the shim's log says what the Python processes did") {
  const record::ShimLog log =
      parsed("12 python\n12 torch 2.11.0+cu130\n13 python\n13 torch 2.11.0+cu130\n"
             "13 profiler\n13 graphs\n14 error OSError: the disk is full\n15 stacks OSError: no\n");
  CHECK(log.python);
  CHECK(log.profiler);
  CHECK(log.graphs);
  CHECK(log.torch == std::vector<std::string>{"2.11.0+cu130"});
  CHECK(log.errors == std::vector<std::string>{"OSError: the disk is full"});
  CHECK(log.stacks == std::vector<std::string>{"OSError: no"});
}

TEST_CASE("what is not a line of the shim's log is left out") {
  const record::ShimLog log = parsed("\n\npython\n12 pythonic\n12 profilers\n12 graphs 3\n12");
  CHECK_FALSE(log.python);
  CHECK_FALSE(log.graphs);
  CHECK_FALSE(log.profiler);
  CHECK(log.torch.empty());
  CHECK(log.errors.empty());
  CHECK(parsed("1 error a\x1b[2Jb").errors.front().find('\x1b') == std::string::npos);
}

TEST_CASE("a log keeps few of many different lines") {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "1 error " + std::to_string(i) + "\n";
  CHECK(parsed(text).errors.size() == 10);
}

TEST_CASE("there may be no log") {
  CHECK_FALSE(record::ShimLogReader{"/nonexistent/log"}.look().python);
}

TEST_CASE("a log is read on from where the last look ended") {
  const test::Folder folder;
  const std::string path = folder.path() + "/log";
  record::ShimLogReader reader{path};
  CHECK_FALSE(reader.look().python);
  append(path, "1 python\n1 gra");
  CHECK(reader.look().python);
  CHECK_FALSE(reader.look().graphs);
  append(path, "phs\n1 profi");
  CHECK(reader.look().graphs);
  append(path, "ler\n");
  CHECK(reader.look().profiler);
}

TEST_CASE("a line counts however much stands before it") {
  const test::Folder folder;
  const std::string path = folder.path() + "/log";
  std::string lines;
  while (lines.size() < 5'000'000)
    lines += "4711 python\n";
  append(path, lines);
  append(path, "4711 error " + std::string(5'000'000, 'x') + "\n");
  append(path, "4711 graphs\n");
  record::ShimLogReader reader{path};
  CHECK(reader.look().graphs);
  CHECK(reader.look().errors.empty()); // no line of the shim's is as long
}

TEST_CASE("versions of PyTorch are compared by their numbers") {
  CHECK(record::is_at_least("2.7.0", 2, 7));
  CHECK(record::is_at_least("2.11.0+cu130", 2, 7));
  CHECK(record::is_at_least("3.0", 2, 7));
  CHECK_FALSE(record::is_at_least("2.6.1", 2, 7));
  CHECK_FALSE(record::is_at_least("1.13.0a0", 2, 7));
  CHECK_FALSE(record::is_at_least("unknown", 2, 7));
  CHECK_FALSE(record::is_at_least("2", 2, 7));
  CHECK_FALSE(record::is_at_least("", 2, 7));
}

} // namespace test_shim_log
