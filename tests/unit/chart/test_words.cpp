#include "chart/words.h"

#include <catch2/catch_test_macros.hpp>

#include <string>

namespace test_words {

using namespace debrief::chart;

TEST_CASE("A name that has room stays whole, a longer one is cut") {
  CHECK(fitted("gpu0 of algo-1", 170) == "gpu0 of algo-1");
  const std::string cut = fitted(std::string(10'000, 'a'), 100);
  CHECK(cut.ends_with("a…"));
  CHECK(cut.size() < 25);
  CHECK(text_width(cut) <= 100 + 6);
  CHECK(fitted("abcdefgh", 20).empty());
  CHECK(fitted("", 20).empty());
  CHECK(fitted("ab", 20) == "ab");
}

TEST_CASE("Characters are never cut in two") {
  const std::string cut = fitted("ääääääääääääääääääää", 60);
  CHECK(cut.ends_with("ä…"));
  CHECK(shortened("äöü", 2) == "äö…");
  CHECK(shortened("äöü", 3) == "äöü");
}

TEST_CASE("A tip has the whole name, unless nobody meant it to be read") {
  CHECK(tip_name(std::string(100, 'n')) == std::string(100, 'n'));
  CHECK(tip_name(std::string(10'000, 'n')).size() < 200);
}

TEST_CASE("Amounts have their noun in the right number") {
  CHECK(amount(1, "step") == "1 step");
  CHECK(amount(0, "step") == "0 steps");
}

} // namespace test_words
