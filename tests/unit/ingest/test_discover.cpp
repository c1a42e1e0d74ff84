#include "ingest/discover.h"
#include "ingest/open_file.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

namespace test_discover {

using namespace debrief;
using Paths = std::vector<std::string>;

TEST_CASE("files are found at any depth, in the order of their names") {
  const test::Folder folder;
  folder.write("b/2.json", "");
  folder.write("a.json", "");
  folder.write("b/10.json", "");
  CHECK(ingest::discover(folder.path(), false).paths == Paths{"a.json", "b/10.json", "b/2.json"});
  CHECK(ingest::discover(folder.path() + "//", false).paths.size() == 3);
}

TEST_CASE("a single file is a job too") {
  const test::Folder folder;
  folder.write("a/trace.json", "x");
  const ingest::FoundFiles found = ingest::discover(folder.path("a/trace.json"), false);
  CHECK(found.paths == Paths{"trace.json"});
  CHECK(found.full_path("trace.json") == folder.path("a/trace.json"));
}

TEST_CASE("links are followed only when asked, and circles end") {
  const test::Folder folder;
  const test::Folder elsewhere;
  elsewhere.write("outside.json", "x");
  folder.write("a/inside.json", "x");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path("out"));
  std::filesystem::create_directory_symlink(folder.path(), folder.path("a/loop"));
  std::filesystem::create_symlink("nowhere", folder.path("dangling"));

  const ingest::FoundFiles careful = ingest::discover(folder.path(), false);
  CHECK(careful.paths == Paths{"a/inside.json"});
  CHECK(careful.skipped_links == Paths{"a/loop", "dangling", "out"});

  const ingest::FoundFiles following = ingest::discover(folder.path(), true);
  CHECK(following.paths == Paths{"a/inside.json", "out/outside.json"});
  CHECK(following.skipped_links == Paths{"dangling"});
}

TEST_CASE("what cannot be a job is refused in one sentence") {
  const test::Folder folder;
  CHECK_THROWS_AS(ingest::discover(folder.path("missing"), false), Error);
  CHECK_THROWS_AS(ingest::discover("/dev/null", false), Error);
  std::filesystem::create_symlink("loop", folder.path("loop"));
  CHECK_THROWS_AS(ingest::discover(folder.path("loop"), false), Error);
}

TEST_CASE("a link that takes the place of what was listed is not opened") {
  const test::Folder folder;
  const test::Folder elsewhere;
  elsewhere.write("secret.json", "secret");
  folder.write("a/inside.json", "inside");
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path("out"));
  std::filesystem::create_symlink(elsewhere.path("secret.json"), folder.path("a/link.json"));
  std::filesystem::create_directory_symlink(folder.path(), elsewhere.path("job"));

  const auto text_of = [](const std::unique_ptr<ingest::ByteSource>& source) {
    std::string text(100, '\0');
    text.resize(source->read(text.data(), text.size()));
    return text;
  };
  CHECK(text_of(ingest::open_file_below(folder.path(), "a/inside.json")) == "inside");
  CHECK(text_of(ingest::open_file_below(elsewhere.path("job"), "a/inside.json")) == "inside");
  CHECK_THROWS_AS(ingest::open_file_below(folder.path(), "a/link.json"), ingest::SourceError);
  CHECK_THROWS_AS(ingest::open_file_below(folder.path(), "out/secret.json"), ingest::SourceError);
  CHECK_THROWS_AS(ingest::open_file_below(folder.path(), "a"), ingest::SourceError);
  CHECK(text_of(ingest::open_file(folder.path("out/secret.json"))) == "secret");
}

} // namespace test_discover
