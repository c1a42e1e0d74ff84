#include "overview/names.h"

#include <catch2/catch_test_macros.hpp>

#include <set>

namespace test_names {

using debrief::overview::page_names;
using Names = std::vector<std::string>;

TEST_CASE("a report is called after the last part of its job's path") {
  CHECK(page_names({"runs/a", "runs/b/", "trace.json.gz"}) == Names{"a", "b", "trace.json.gz"});
  CHECK(page_names({}).empty());
}

TEST_CASE("jobs that are called alike get numbers, in the order in which they are given") {
  CHECK(page_names({"x/a", "y/a", "z/a"}) == Names{"a", "a-2", "a-3"});
  CHECK(page_names({"x/a", "y/a", "z/a-2"}) == Names{"a", "a-2", "a-2-2"});
  CHECK(page_names({"x/a-2", "x/a", "y/a"}) == Names{"a-2", "a", "a-3"});
}

TEST_CASE("names that differ in case only are alike, as some file systems have it") {
  CHECK(page_names({"Run", "run", "RUN"}) == Names{"Run", "run-2", "RUN-3"});
}

TEST_CASE("no report takes the place of the list") {
  CHECK(page_names({"index", "Index"}) == Names{"index-2", "Index-3"});
}

TEST_CASE("a name that Windows keeps for a device is not given") {
  CHECK(page_names({"con", "NUL.json", "console"}) == Names{"job-con", "job-NUL.json", "console"});
}

TEST_CASE("a name leads nowhere else, is not hidden and not too long, whatever the job is called") {
  const Names names = page_names({"jobs/..a", "jobs/.hidden", "a\\b:c", "<b>&\"'", "x\n\x1b[31m",
                                  "javascript:alert(1)", "узел", "ノード", std::string(5000, 'n')});
  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  for (const std::string& name : names) {
    INFO(name);
    CHECK(name.size() <= 110);
    CHECK(name.front() != '.');
    CHECK(name.find_first_not_of(
              "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") ==
          std::string::npos);
  }
}

TEST_CASE("a folder that is given as a dot has its own name") {
  const Names names = page_names({".", ".."});
  CHECK(names[0].find_first_not_of(".") != std::string::npos);
  CHECK(names[1] != names[0]);
}

TEST_CASE("many jobs called alike take no more time than others") {
  const Names names = page_names(Names(20'000, "same"));
  CHECK(names.back() == "same-20000");
}

} // namespace test_names
