#include "ingest/plain_number.h"

#include <catch2/catch_test_macros.hpp>

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>
#include <string>

namespace test_plain_number {

using namespace debrief;

namespace {

/// The number that `text` starts with and how many bytes it has; nothing where it is not read.
std::optional<std::pair<double, std::size_t>> read(const std::string& text) {
  const std::string padded = text + std::string(ingest::kMaxPlainNumberBytes, '\0');
  double number = NAN;
  const char* const end = ingest::read_plain_number(padded.data(), number);
  if (end == nullptr) return std::nullopt;
  return std::pair{number, static_cast<std::size_t>(end - padded.data())};
}

double nearest(const std::string& text) {
  double number = NAN;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

} // namespace

TEST_CASE("plain numbers are read up to what follows them", "[plain_number]") {
  CHECK(read("0,") == std::pair{0.0, std::size_t{1}});
  CHECK(read("45.12,\"NodeId\"") == std::pair{45.12, std::size_t{5}});
  CHECK(read("-3.5}") == std::pair{-3.5, std::size_t{4}});
  CHECK(read("100") == std::pair{100.0, std::size_t{3}});
  CHECK(read("1594662618.874103}") == std::pair{1594662618.874103, std::size_t{17}});
  // 17 digits: more than a double's 53 bits hold exactly.
  CHECK(read("1594662618.8741035}") == std::pair{1594662618.8741035, std::size_t{18}});
  CHECK(std::signbit(read("-0.0")->first));
}

TEST_CASE("what is not a plain number of JSON is left to the parser", "[plain_number]") {
  for (const char* text : {"", "-", ".5", "1.", "01", "-01.5", "1e5", "1.5E3", "1.2.3", "NaN",
                           "Infinity", "+1", "\"1\"", "12345678901234567890", "x"})
    CHECK_FALSE(read(text));
}

TEST_CASE("plain numbers are the nearest doubles", "[plain_number]") {
  std::mt19937_64 random{7};
  for (int i = 0; i < 20'000; ++i) {
    const auto whole = 1 + random() % 12;
    const auto decimals = random() % 8;
    std::string text = random() % 4 == 0 ? "-" : "";
    text += static_cast<char>('1' + random() % 9);
    for (std::size_t digit = 1; digit < whole; ++digit)
      text += static_cast<char>('0' + random() % 10);
    if (decimals > 0) text += '.';
    for (std::size_t digit = 0; digit < decimals; ++digit)
      text += static_cast<char>('0' + random() % 10);
    const auto got = read(text + ",");
    REQUIRE(got);
    REQUIRE(got->first == nearest(text));
    REQUIRE(got->second == text.size());
  }
}

} // namespace test_plain_number
