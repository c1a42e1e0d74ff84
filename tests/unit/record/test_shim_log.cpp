#include "record/shim_log.h"

#include <catch2/catch_test_macros.hpp>

namespace test_shim_log {

using namespace debrief;

TEST_CASE("the shim's log says what the Python processes did") {
  const record::ShimLog log =
      record::parse_shim_log("12 python\n12 torch 2.11.0+cu130\n13 python\n13 torch 2.11.0+cu130\n"
                             "13 profiler\n13 graphs\n14 error OSError: the disk is full\n");
  CHECK(log.python);
  CHECK(log.profiler);
  CHECK(log.graphs);
  CHECK(log.torch == std::vector<std::string>{"2.11.0+cu130"});
  CHECK(log.errors == std::vector<std::string>{"OSError: the disk is full"});
}

TEST_CASE("what is not a line of the shim's log is left out") {
  const record::ShimLog log =
      record::parse_shim_log("\n\npython\n12 pythonic\n12 profilers\n12 graphs 3\n12");
  CHECK_FALSE(log.python);
  CHECK_FALSE(log.graphs);
  CHECK_FALSE(log.profiler);
  CHECK(log.torch.empty());
  CHECK(log.errors.empty());
  CHECK(record::parse_shim_log("1 error a\x1b[2Jb").errors.front().find('\x1b') ==
        std::string::npos);
}

TEST_CASE("a log keeps few of many different lines") {
  std::string text;
  for (int i = 0; i < 1000; ++i)
    text += "1 error " + std::to_string(i) + "\n";
  CHECK(record::parse_shim_log(text).errors.size() == 10);
}

TEST_CASE("there may be no log") {
  CHECK_FALSE(record::read_shim_log("/nonexistent/log").python);
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
