#include "trust/named_files.h"
#include "util/private_folder.h"

#include <catch2/catch_test_macros.hpp>

#include <fstream>
#include <vector>

namespace test_named_files {

using namespace debrief;
namespace fs = std::filesystem;

TEST_CASE("files of a folder that a command names") {
  const PrivateFolder made;
  const fs::path folder = fs::canonical(made.path());
  fs::create_directories(folder / "pack");
  for (const char* name : {"rule.py", "limits.json", "a b.sh", "pack/rule.py", "pack/__main__.py"})
    std::ofstream{folder / name} << "x";
  const auto named = [&](const std::vector<std::string>& words) {
    return trust::named_files(words, folder.string());
  };
  using Files = std::set<std::string>;
  CHECK(named({"python3", "rule.py"}) == Files{"rule.py"});
  CHECK(named({"./rule.py", "--limits=limits.json"}) == Files{"rule.py", "limits.json"});
  CHECK(named({"sh", "-c", "cat limits.json | './rule.py' >out"}) ==
        Files{"rule.py", "limits.json"});
  CHECK(named({"./rule.py >>limits.json 2>&1"}) == Files{"rule.py"});
  CHECK(named({">rule.py; ./rule.py > 'limits.json'"}) == Files{"rule.py"});
  CHECK(named({"sh", "a b.sh"}) == Files{"a b.sh"});
  CHECK(named({"python3", "-m", "pack.rule"}) == Files{"pack/rule.py"});
  CHECK(named({"python3", "pack"}) == Files{"pack/__main__.py"});
  CHECK(named({"python3", "-m", "rule"}) == Files{"rule.py"});
  CHECK(named({(folder / "rule.py").string()}) == Files{"rule.py"});
  CHECK(named({"pack/../rule.py"}) == Files{"rule.py"});
  CHECK(named({"/bin/sh", "python3", "nothing.py", "."}).empty());
  CHECK(named({}).empty());
}

} // namespace test_named_files
