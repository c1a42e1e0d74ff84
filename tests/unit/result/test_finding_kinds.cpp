#include "result/finding_kinds.h"

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>

namespace test_finding_kinds {

using namespace debrief;
using namespace debrief::result;

TEST_CASE("no two kinds of findings have one id or one name") {
  std::set<std::string> ids;
  std::set<std::string> names;
  for (const FindingKind kind : kFindingKinds) {
    CHECK(ids.insert(spec_of(kind).id).second);
    CHECK(names.insert(spec_of(kind).name).second);
    CHECK(from_text<FindingKind>(spec_of(kind).id) == kind);
  }
}

TEST_CASE("a cause belongs to the first kind that has it") {
  CHECK(kind_of(Cause::model) == FindingKind::diverged);
  CHECK(kind_of(Cause::unexplained) == FindingKind::underutilized);
  CHECK(kind_of(Cause::sync) == FindingKind::host_sync);
}

TEST_CASE("a kind can be about several tiles") {
  const Tile tiles = spec_of(FindingKind::input_bound).tiles;
  CHECK(is_among(Tile::busy, tiles));
  CHECK(is_among(Tile::iteration, tiles));
  CHECK_FALSE(is_among(Tile::memory, tiles));
  CHECK_FALSE(is_among(Tile::busy, Tile::none));
}

TEST_CASE("kinds about the model are those of its color") {
  CHECK(is_about_model(FindingKind::dead_units));
  CHECK_FALSE(is_about_model(FindingKind::input_bound));
}

} // namespace test_finding_kinds
