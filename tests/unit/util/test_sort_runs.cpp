#include "util/sort_runs.h"

#include <catch2/catch_test_macros.hpp>

#include <functional>
#include <random>
#include <utility>
#include <vector>

namespace test_sort_runs {

using namespace debrief;

namespace {

/// A key and where it stood.
using Item = std::pair<int, int>;

bool by_key(const Item& a, const Item& b) {
  return a.first < b.first;
}

/// Whether the outcome is the same as the library's, equal keys in their order too.
bool sorts(const std::vector<int>& keys) {
  std::vector<Item> sorted;
  for (const int key : keys)
    sorted.emplace_back(key, static_cast<int>(sorted.size()));
  std::vector<Item> expected = sorted;
  sort_runs(sorted.begin(), sorted.end(), by_key);
  std::stable_sort(expected.begin(), expected.end(), by_key);
  return sorted == expected;
}

/// How many comparisons it takes for each key.
double comparisons(std::vector<int> keys) {
  std::size_t count = 0;
  sort_runs(keys.begin(), keys.end(), [&](int a, int b) {
    ++count;
    return a < b;
  });
  CHECK(std::is_sorted(keys.begin(), keys.end()));
  return static_cast<double>(count) / static_cast<double>(keys.size());
}

} // namespace

TEST_CASE("sorting nothing, and one") {
  CHECK(sorts({}));
  CHECK(sorts({5}));
}

TEST_CASE("random keys of many lengths are sorted, and equal ones stay in order") {
  std::mt19937 random{7};
  for (int size = 2; size < 2000; size = size * 5 / 4 + 1)
    for (const int distinct : {2, 10, 1'000'000}) {
      std::vector<int> keys;
      for (int i = 0; i < size; ++i)
        keys.push_back(static_cast<int>(random() % static_cast<unsigned>(distinct)));
      CHECK(sorts(keys));
    }
}

TEST_CASE("runs up and down are sorted") {
  std::vector<int> keys;
  for (int i = 0; i < 1000; ++i)
    keys.push_back(2 * i);
  for (int i = 0; i < 300; ++i)
    keys.push_back(7 * i);
  for (int i = 500; i-- > 0;)
    keys.push_back(i);
  CHECK(sorts(keys));
}

TEST_CASE("sorting compares little where neighbors changed places, or there are two runs") {
  constexpr int kSize = 100'000; // for which n log n is 17 comparisons each
  std::vector<int> changed;
  for (int i = 0; i < kSize; ++i)
    changed.push_back(i % 2 == 0 ? i + 1 : i - 1);
  CHECK(comparisons(changed) < 8);
  std::vector<int> runs;
  for (const int offset : {0, 1})
    for (int i = 0; i < kSize; ++i)
      runs.push_back(2 * i + offset);
  CHECK(comparisons(runs) < 3);
}

} // namespace test_sort_runs
