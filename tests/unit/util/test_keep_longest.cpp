#include "util/keep_longest.h"

#include <catch2/catch_test_macros.hpp>

namespace test_keep_longest {

using namespace debrief;

TEST_CASE("the longest stay in their order, of equally long ones the first") {
  struct Item {
    char name;
    int length;
  };

  const std::vector<Item> all = {{'a', 3}, {'b', 1}, {'c', 2}, {'d', 2}, {'e', 5}, {'f', 2}};
  const auto kept = [&](std::size_t most) {
    std::vector<Item> items = all;
    const std::size_t gone =
        keep_longest(items, most, [](const Item& item) { return item.length; });
    CHECK(gone + items.size() == all.size());
    std::string names;
    for (const Item& item : items)
      names += item.name;
    return names;
  };
  CHECK(kept(7) == "abcdef");
  CHECK(kept(6) == "abcdef");
  CHECK(kept(5) == "acdef");
  CHECK(kept(4) == "acde");
  CHECK(kept(2) == "ae");
  CHECK(kept(1) == "e");
  CHECK(kept(0).empty());
}

} // namespace test_keep_longest
