#include "record/environment_search.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <unistd.h>

#include <filesystem>
#include <fstream>

namespace test_environment_search {

using namespace debrief;
using namespace std::string_literals;

namespace {

/// A process of this user that began at tick 100, as /proc has it.
void add_process(const test::Folder& proc, const std::string& pid, const std::string& environment,
                 const std::string& state = "S", uid_t user = ::geteuid()) {
  std::filesystem::create_directories(proc.path(pid));
  std::ofstream{proc.path(pid + "/environ"), std::ios::binary} << environment;
  std::ofstream{proc.path(pid + "/status")} << "Name:\tx\nUid:\t" << user << "\t" << user << "\t"
                                            << user << "\t" << user << "\n";
  std::ofstream{proc.path(pid + "/stat")} << pid << " (x) " << state
                                          << " 1 1 1 0 -1 0 0 0 0 0 1 1 0 0 20 0 1 0 100 1 1 0\n";
}

bool found(const test::Folder& proc, std::uint64_t since, bool where_unsure) {
  const std::string folder = proc.path();
  return record::is_in_an_environment({.name = "debrief.AbCdEf",
                                       .since = since,
                                       .where_unsure = where_unsure,
                                       .proc = folder.c_str()});
}

} // namespace

TEST_CASE("a name is found in any variable of any process") {
  const test::Folder proc;
  add_process(proc, "7", "A=1\0B=x\0"s);
  add_process(proc, "8", ""); // one of the kernel's, or one that was given none
  CHECK_FALSE(found(proc, 0, true));
  add_process(proc, "9", "A=1\0PYTHONPATH=/tmp/debrief.AbCdEf:/a\0"s);
  CHECK(found(proc, 0, false));
}

TEST_CASE(
    "a process that has overwritten its environment may know the name, if it is young enough") {
  const test::Folder proc;
  add_process(proc, "7", "ray::IDLE\0\0\0\0"s);
  CHECK_FALSE(found(proc, 50, false));
  CHECK(found(proc, 50, true));
  CHECK(found(proc, 100, true));
  CHECK_FALSE(found(proc, 101, true));
  add_process(proc, "7", "ray::IDLE\0\0\0\0"s, "Z");
  CHECK_FALSE(found(proc, 50, true)); // it has ended
  add_process(proc, "7", "ray::IDLE\0\0\0\0"s, "S", ::geteuid() + 1);
  CHECK_FALSE(found(proc, 50, true)); // another user's
}

TEST_CASE("where processes cannot be listed, one may know the name") {
  CHECK(record::is_in_an_environment({.name = "x", .proc = "/no/such/folder"}));
}

} // namespace test_environment_search
