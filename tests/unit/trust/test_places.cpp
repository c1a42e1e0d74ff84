#include "trust/places.h"
#include "util/private_folder.h"

#include <catch2/catch_test_macros.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace test_places {

using namespace debrief;
namespace fs = std::filesystem;

TEST_CASE("the way to a file has every folder and every link") {
  const PrivateFolder made;
  const fs::path folder = fs::canonical(made.path());
  fs::create_directories(folder / "real/deep");
  fs::create_directories(folder / "other");
  std::ofstream{folder / "real/file"} << "x";
  fs::create_symlink("../../other/link", folder / "real/deep/link");
  fs::create_symlink(folder / "real/file", folder / "other/link");
  fs::create_symlink("circle", folder / "circle");
  std::vector<std::string> below;
  for (const trust::Place& place :
       trust::places_on_the_way((folder / "real/deep/../deep/link").string()))
    if (place.path.size() > folder.string().size())
      below.push_back(fs::path{place.path}.lexically_relative(folder).string());
  CHECK(below.front() == "real");
  CHECK(below.back() == "real/file");
  for (const char* passed : {"real/deep", "real/deep/link", "other", "other/link"})
    CHECK(std::find(below.begin(), below.end(), passed) != below.end());
  CHECK(trust::places_on_the_way((folder / "circle").string()).empty());
  CHECK(trust::places_on_the_way((folder / "missing").string()).empty());
  CHECK(trust::places_on_the_way("").empty());
}

TEST_CASE("a path lies in a folder by its parts, not by its letters") {
  CHECK(trust::lies_in("/a/b", "/a"));
  CHECK(trust::lies_in("/a", "/a"));
  CHECK(trust::lies_in("/a", "/"));
  CHECK_FALSE(trust::lies_in("/ab", "/a"));
  CHECK_FALSE(trust::lies_in("/", "/a"));
}

} // namespace test_places
