#include "ingest/digits.h"
#include "ingest/same_bytes.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>

namespace test_digits {

using namespace debrief;

namespace {

/// The number made of the digits, and how many were taken.
std::pair<std::uint64_t, std::size_t> take(std::string text, int most = 19) {
  text += std::string(16, '\0');
  std::uint64_t number = 0;
  const char* const end = ingest::take_digits(text.data(), most, number);
  return {number, static_cast<std::size_t>(end - text.data())};
}

} // namespace

TEST_CASE("digits are taken up to the first byte that is none") {
  const std::string digits = "9876543210123456789";
  for (std::size_t count = 0; count <= digits.size(); ++count) {
    const std::string some = digits.substr(0, count);
    const std::uint64_t expected = some.empty() ? 0 : std::stoull(some);
    for (const char* behind : {"", ",", "}", ".5", "/", ":", " 1", "\x80", "\xFF\xFF", "e3"})
      CHECK(take(some + behind) == std::pair{expected, count});
  }
}

TEST_CASE("no more digits are taken than asked for") {
  CHECK(take("123456789012", 3) == std::pair{std::uint64_t{123}, std::size_t{3}});
  CHECK(take("123456789012", 10) == std::pair{std::uint64_t{1234567890}, std::size_t{10}});
  CHECK(take("12345678", 8) == std::pair{std::uint64_t{12345678}, std::size_t{8}});
  CHECK(take("123", 0) == std::pair{std::uint64_t{0}, std::size_t{0}});
}

TEST_CASE("digits go behind those that are there") {
  std::uint64_t number = 42;
  const std::string text = "001" + std::string(16, '\0');
  ingest::take_digits(text.data(), 3, number);
  CHECK(number == 42001);
}

TEST_CASE("a text is a literal only byte for byte") {
  const std::string text = "gpu_user_annotation";
  CHECK(ingest::is_text(text, "gpu_user_annotation"));
  CHECK_FALSE(ingest::is_text(text, "gpu_user_annotations"));
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string other = text;
    other[at] = '#';
    CHECK_FALSE(ingest::is_text(other, "gpu_user_annotation"));
    CHECK_FALSE(ingest::same_bytes<19>(other.data(), "gpu_user_annotation"));
  }
  CHECK(ingest::is_text("X", "X"));
  CHECK_FALSE(ingest::is_text("Y", "X"));
  CHECK(ingest::is_text("cpu_op", "cpu_op"));
  CHECK_FALSE(ingest::is_text("cpu_oq", "cpu_op"));
  CHECK(ingest::is_text("", ""));
}

} // namespace test_digits
