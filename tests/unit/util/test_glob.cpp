#include "util/glob.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_glob {

using debrief::glob_matches;

TEST_CASE("a star is any text, a question mark one character") {
  CHECK(glob_matches("gradient/*", "gradient/fc.weight"));
  CHECK(glob_matches("*", ""));
  CHECK(glob_matches("*.bias", "gradient/fc.bias"));
  CHECK(glob_matches("a*b*c", "a.b.b.c"));
  CHECK(glob_matches("layer?", "layer1"));
  CHECK(glob_matches("exact", "exact"));
  CHECK_FALSE(glob_matches("layer?", "layer"));
  CHECK_FALSE(glob_matches("layer?", "layer12"));
  CHECK_FALSE(glob_matches("gradient/*.bias", "gradient/fc.weight"));
  CHECK_FALSE(glob_matches("exact", "exactly"));
  CHECK_FALSE(glob_matches("", "a"));
  CHECK(glob_matches("", ""));
}

TEST_CASE("many stars take no more than their product with the text") {
  std::string pattern;
  for (int i = 0; i < 200; ++i)
    pattern += "a*";
  CHECK_FALSE(glob_matches(pattern + "b", std::string(20'000, 'a')));
  CHECK(glob_matches(pattern, std::string(20'000, 'a')));
}

} // namespace test_glob
