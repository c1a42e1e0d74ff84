#include "render/parts/scalar_groups.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_scalar_groups {

using namespace debrief;

namespace {

/// "heading: name name" of each group.
std::vector<std::string> grouped(const std::vector<std::string>& names) {
  std::vector<result::Curve> curves(names.size());
  std::vector<const result::Curve*> all;
  for (std::size_t at = 0; at < names.size(); ++at) {
    curves[at].name = names[at];
    all.push_back(&curves[at]);
  }
  std::vector<std::string> out;
  for (const render::ScalarGroup& group : render::group_scalars(all)) {
    out.push_back(group.heading + ':');
    for (const result::Curve* curve : group.curves)
      out.back() += ' ' + curve->name;
  }
  return out;
}

} // namespace

TEST_CASE("a scalar's prefix ends at its first slash, else at its first dot") {
  CHECK(render::prefix_of_scalar("system/gpu.0.temp") == "system");
  CHECK(render::prefix_of_scalar("layer1.weight.norm") == "layer1");
  CHECK(render::prefix_of_scalar("a.b/c") == "a.b");
  CHECK(render::prefix_of_scalar("epoch").empty());
  CHECK(render::prefix_of_scalar("/epoch").empty());
  CHECK(render::prefix_of_scalar("").empty());
}

TEST_CASE("six scalars are one group, seven are grouped by prefix") {
  CHECK(grouped({}).empty());
  CHECK(grouped({"epoch"}) == std::vector<std::string>{"1 more scalar: epoch"});
  CHECK(grouped({"a/1", "a/2", "b/1", "b/2", "c", "d"}) ==
        std::vector<std::string>{"6 more scalars: a/1 a/2 b/1 b/2 c d"});
  CHECK(grouped({"b/1", "a/1", "d", "a/2", "b/2", "c/1", "b/3"}) ==
        std::vector<std::string>{"a (2 scalars): a/1 a/2", "b (3 scalars): b/1 b/2 b/3",
                                 "Others (2 scalars): d c/1"});
}

} // namespace test_scalar_groups
