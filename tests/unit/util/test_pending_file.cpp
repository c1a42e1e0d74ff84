#include "support.h"
#include "util/error.h"
#include "util/pending_file.h"

#include <catch2/catch_test_macros.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <sstream>

namespace test_pending_file {

using namespace debrief;

namespace {

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream{path}.rdbuf();
  return text.str();
}

std::size_t files_in(const test::Folder& folder) {
  const std::filesystem::directory_iterator entries{folder.path()};
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

} // namespace

TEST_CASE("a file appears only when it is whole") {
  const test::Folder folder;
  const std::string target = folder.path("report.html");
  {
    PendingFile file{target};
    file.write("half");
    CHECK_FALSE(std::filesystem::exists(target));
    file.write(" and whole");
    file.commit();
  }
  CHECK(content(target) == "half and whole");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("what is not committed leaves the old file and nothing else") {
  const test::Folder folder;
  folder.write("report.html", "old");
  {
    PendingFile file{folder.path("report.html")};
    file.write("new");
  }
  CHECK(content(folder.path("report.html")) == "old");
  CHECK(files_in(folder) == 1);
}

TEST_CASE("the file behind a link is replaced, not the link") {
  const test::Folder folder;
  folder.write("real.html", "old");
  std::filesystem::create_symlink(folder.path("real.html"), folder.path("link.html"));
  write_file(folder.path("link.html"), "new");
  CHECK(std::filesystem::is_symlink(folder.path("link.html")));
  CHECK(content(folder.path("real.html")) == "new");
}

TEST_CASE("a new file gets the rights that the umask leaves") {
  const test::Folder folder;
  const mode_t before = ::umask(0027);
  write_file(folder.path("report.html"), "x");
  ::umask(before);

  struct stat info {};

  REQUIRE(::stat(folder.path("report.html").c_str(), &info) == 0);
  CHECK((info.st_mode & 0777U) == 0640);
}

TEST_CASE("a device is written directly") {
  CHECK_NOTHROW(write_file("/dev/null", "x"));
}

TEST_CASE("a missing folder and a full disk are errors that name the file") {
  const test::Folder folder;
  CHECK_THROWS_AS(write_file(folder.path("no/such/report.html"), "x"), Error);
  CHECK_THROWS_AS(write_file("/dev/full", "x"), Error);
}

TEST_CASE("a file that may not grow further is an error, not the end of the program") {
  const test::Folder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    remove_pending_files_on_signal();
    const rlimit small{100, 100};
    ::setrlimit(RLIMIT_FSIZE, &small);
    try {
      write_file(folder.path("report.html"), std::string(1000, 'x'));
    } catch (const Error&) {
      ::_exit(7);
    }
    ::_exit(0);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
  CHECK(files_in(folder) == 0);
}

TEST_CASE("a signal that is ignored stays so") {
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGHUP, SIG_IGN);
    remove_pending_files_on_signal();
    ::raise(SIGHUP);
    ::_exit(7);
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 7);
}

TEST_CASE("a signal removes the temporary file") {
  const test::Folder folder;
  const pid_t child = ::fork();
  if (child == 0) {
    remove_pending_files_on_signal();
    PendingFile file{folder.path("report.html")};
    file.write("half");
    ::raise(SIGTERM);
    ::_exit(0); // not reached
  }
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(WIFSIGNALED(status));
  CHECK(WTERMSIG(status) == SIGTERM);
  CHECK(files_in(folder) == 0);
}

} // namespace test_pending_file
