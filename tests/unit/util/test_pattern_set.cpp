#include "util/pattern_set.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace test_pattern_set {

using namespace debrief;

TEST_CASE("any pattern of a set may match; what is none finds nothing") {
  PatternSet set{std::vector<std::string>{"^gradient/", "(", "loss$"}};
  CHECK(set.finds("gradient/fc"));
  CHECK(set.finds("train_loss"));
  CHECK_FALSE(set.finds("weight/fc"));
  CHECK_FALSE(PatternSet{{}}.finds("loss"));
}

TEST_CASE("patterns made to take long end the search for all names") {
  std::vector<std::string> texts;
  for (int i = 0; i < 20; ++i)
    texts.push_back("(a*)*b" + std::to_string(i));
  PatternSet set{texts};
  for (int i = 0; i < 10'000; ++i)
    CHECK_FALSE(set.finds(std::string(30, 'a')));
}

TEST_CASE("usual patterns find in any number of names") {
  PatternSet set{std::vector<std::string>{".*loss.*", "^(?!.*gradient).*weight$", "bias|relu"}};
  int found = 0;
  for (int i = 0; i < 20'000; ++i)
    found += set.finds("layer" + std::to_string(i) + "/attention/self/query.weight") ? 1 : 0;
  CHECK(found == 20'000);
}

} // namespace test_pattern_set
