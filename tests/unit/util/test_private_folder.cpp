#include "support.h"
#include "util/pending_file.h"
#include "util/private_folder.h"

#include <catch2/catch_test_macros.hpp>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <fstream>

namespace test_private_folder {

using namespace debrief;
namespace fs = std::filesystem;

TEST_CASE("a private folder is this user's alone, and gone with what is in it") {
  fs::path path;
  {
    const PrivateFolder folder;
    path = folder.path();
    CHECK(folder.trouble().empty());
    CHECK(fs::status(path).permissions() == fs::perms::owner_all);
    fs::create_directories(path / "a/b");
    std::ofstream{path / "a/b/file"} << "x";
  }
  CHECK_FALSE(fs::exists(path));
}

TEST_CASE("TMPDIR is passed over where its path is too long, or others could replace the folder") {
  const char* const before = std::getenv("TMPDIR");
  const std::string kept = before == nullptr ? "" : before;
  const test::Folder folder;
  const auto place = [&](const fs::path& path, std::size_t longest = 4000) {
    fs::create_directories(path);
    ::setenv("TMPDIR", path.c_str(), 1);
    return private_place(longest, 14).folder;
  };
  const std::string good = fs::canonical(folder.path()).string();
  CHECK(place(good) == good);
  CHECK(place(good, good.size() + 15) == good);
  CHECK(place(good, good.size() + 14) == "/tmp");
  CHECK(place(good + "/a:b") == "/tmp");
  const fs::path open = good + "/open";
  CHECK(place(open / "inner") == (open / "inner").string());
  fs::permissions(open, fs::perms::all);
  CHECK(place(open) == "/tmp");
  CHECK(place(open / "inner") == "/tmp"); // others can rename a folder above
  fs::permissions(open, fs::perms::all | fs::perms::sticky_bit);
  CHECK(place(open) == open.string());
  fs::create_symlink(open, good + "/link");
  CHECK(place(good + "/link") == open.string());
  if (before == nullptr)
    ::unsetenv("TMPDIR");
  else
    ::setenv("TMPDIR", kept.c_str(), 1);
}

TEST_CASE("a signal that ends the program removes private folders with their files") {
  std::array<int, 2> pipe{};
  REQUIRE(::pipe(pipe.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    remove_pending_files_on_signal();
    const PrivateFolder folder;
    for (int i = 0; i < 300; ++i) // more than one read of the folder gives
      std::ofstream{folder.path() / ("file-with-a-rather-long-name-" + std::to_string(i))} << "x";
    const std::string path = folder.path().string();
    static_cast<void>(::write(pipe[1], path.data(), path.size()) + 1);
    ::raise(SIGTERM);
    ::_exit(0); // not reached
  }
  ::close(pipe[1]);
  std::array<char, 1000> path{};
  REQUIRE(::read(pipe[0], path.data(), path.size() - 1) > 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  ::close(pipe[0]);
  CHECK(WIFSIGNALED(status));
  CHECK_FALSE(fs::exists(path.data()));
}

} // namespace test_private_folder
