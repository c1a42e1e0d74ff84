#include "support.h"
#include "util/child_process.h"
#include "util/pending_file.h"

#include <catch2/catch_test_macros.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <fstream>
#include <iterator>
#include <thread>

namespace test_child_process {

using namespace debrief;
using End = ChildOutcome::End;
using std::chrono::milliseconds;

namespace {

ChildOutcome shell(const std::string& script, const ChildLimits& limits = {}) {
  return run_child({"sh", "-c", script}, "", limits);
}

/// Whether a process runs; one that nobody has waited for yet does not.
bool runs(pid_t pid) {
  std::ifstream file{"/proc/" + std::to_string(pid) + "/stat"};
  const std::string stat{std::istreambuf_iterator<char>{file}, {}};
  const std::size_t name_end = stat.rfind(')');
  return name_end != stat.npos && stat[name_end + 2] != 'Z';
}

/// The same after as long as it may take to die.
bool lives(pid_t pid) {
  for (int tries = 0; tries < 100 && runs(pid); ++tries)
    std::this_thread::sleep_for(milliseconds{10});
  return runs(pid);
}

pid_t number_in(const std::string& text) {
  pid_t pid = 0;
  std::from_chars(text.data(), text.data() + text.size(), pid);
  return pid;
}

} // namespace

TEST_CASE("a program's output, complaints and exit code are those that it has") {
  const ChildOutcome outcome = shell("echo out; echo complaint >&2; exit 3");
  CHECK(outcome.end == End::exited);
  CHECK(outcome.code == 3);
  CHECK(outcome.output == "out\n");
  CHECK(outcome.complaints == "complaint\n");
}

TEST_CASE("a program has nothing to read, its folder, and no file of this program") {
  CHECK(shell("cat").output.empty());
  const test::Folder folder;
  CHECK(run_child({"sh", "-c", "pwd"}, folder.path(), {}).output == folder.path() + "\n");
  const int inherited = ::dup(STDIN_FILENO);
  REQUIRE(inherited > STDERR_FILENO);
  CHECK(shell("ls /proc/self/fd | wc -l").output == "4\n"); // ls has the folder open
  ::close(inherited);
}

TEST_CASE("a program that a signal ends says which") {
  const ChildOutcome outcome = shell("kill -SEGV $$");
  CHECK(outcome.end == End::killed);
  CHECK(outcome.code == SIGSEGV);
}

TEST_CASE("a program that is not there, or not in a folder that is not, could not be started") {
  const ChildOutcome missing = run_child({"/no/such/program"}, "", {});
  CHECK(missing.end == End::not_started);
  CHECK(missing.code == ENOENT);
  CHECK(run_child({"sh", "-c", "true"}, "/no/such/folder", {}).end == End::not_started);
  CHECK(run_child({"/dev/null"}, "", {}).code == EACCES);
}

TEST_CASE("a program that takes too long is asked to end") {
  ChildLimits limits;
  limits.time = milliseconds{200};
  const auto began = std::chrono::steady_clock::now();
  const ChildOutcome outcome = shell("trap 'echo bye; exit 0' TERM; sleep 60 & wait", limits);
  CHECK(outcome.end == End::too_long);
  CHECK(outcome.output == "bye\n");
  CHECK(std::chrono::steady_clock::now() - began < limits.grace);
}

TEST_CASE("a program that does not end when asked is killed") {
  ChildLimits limits;
  limits.time = milliseconds{200};
  limits.grace = milliseconds{200};
  const ChildOutcome outcome = shell("trap '' TERM; echo $$; while :; do sleep 0.05; done", limits);
  CHECK(outcome.end == End::too_long);
  CHECK_FALSE(lives(number_in(outcome.output)));
}

TEST_CASE("output up to the limit is kept, and a byte more ends the program") {
  ChildLimits limits;
  limits.output = 100'000;
  const ChildOutcome just = shell("head -c 100000 /dev/zero", limits);
  CHECK(just.end == End::exited);
  CHECK(just.output.size() == 100'000);
  CHECK(shell("head -c 100001 /dev/zero", limits).end == End::too_much);
  CHECK(shell("cat /dev/zero", limits).end == End::too_much);
}

TEST_CASE("of complaints the last are kept") {
  const ChildOutcome outcome = shell("yes | head -c 1000000 >&2; printf last >&2");
  CHECK(outcome.end == End::exited);
  CHECK(outcome.complaints.size() == 4096);
  CHECK(outcome.complaints.ends_with("last"));
}

TEST_CASE("a child of the program that stays behind neither holds it up nor lives on") {
  const auto began = std::chrono::steady_clock::now();
  const ChildOutcome outcome = shell("sleep 60 & echo $!");
  CHECK(outcome.end == End::exited);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
  CHECK_FALSE(lives(number_in(outcome.output)));
}

TEST_CASE("a child that left the program's group does not hold it up") {
  const auto began = std::chrono::steady_clock::now();
  const ChildOutcome outcome = shell("setsid sleep 20 & sleep 0.2; echo $!");
  CHECK(outcome.end == End::exited);
  CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds{5});
  ::kill(number_in(outcome.output), SIGKILL);
}

TEST_CASE("a signal that ends this program ends its children") {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    remove_pending_files_on_signal();
    std::thread{[&] {
      shell("echo $$ > /proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(pipe[1]) +
            "; exec sleep 60");
    }}.join();
    ::_exit(0);
  }
  std::array<char, 100> text{};
  REQUIRE(::read(pipe[0], text.data(), text.size() - 1) > 0);
  const pid_t grandchild = number_in(text.data());
  CHECK(::kill(grandchild, 0) == 0);
  ::kill(child, SIGTERM);
  ::waitpid(child, nullptr, 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
  CHECK_FALSE(lives(grandchild));
}

} // namespace test_child_process
