#include "util/seeded_hash.h"

#include <catch2/catch_test_macros.hpp>

#include <set>
#include <string>

namespace test_seeded_hash {

using namespace debrief;

TEST_CASE("equal keys have equal hashes, wherever they lie") {
  const std::string text = "aten::convolution_backward, and more than sixteen bytes";
  for (std::size_t length = 0; length <= text.size(); ++length) {
    const std::string copy = text.substr(0, length);
    CHECK(seeded_hash(std::string_view{copy}) ==
          seeded_hash(std::string_view{text}.substr(0, length)));
  }
}

TEST_CASE("each byte and the length count") {
  std::set<std::uint64_t> hashes;
  std::size_t keys = 0;
  for (std::size_t length = 0; length < 40; ++length) {
    std::string text(length, '\0'); // zeros: those that are missing would count as such
    hashes.insert(seeded_hash(text));
    ++keys;
    for (std::size_t at = 0; at < length; ++at) {
      text[at] = 'x';
      hashes.insert(seeded_hash(text));
      text[at] = '\0';
      ++keys;
    }
  }
  CHECK(hashes.size() == keys);
}

TEST_CASE("numbers that share a bucket of a table by their value spread") {
  constexpr std::uint64_t kBuckets = 172'933; // of a table of the standard library
  std::set<std::uint64_t> buckets;
  for (std::uint64_t i = 0; i < 10'000; ++i)
    buckets.insert(seeded_hash(i * kBuckets) % kBuckets);
  CHECK(buckets.size() > 9'000);
}

TEST_CASE("a run has a key of its own") {
  const HashKey fallback{0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93};
  CHECK(hash_key().first != fallback.first);
  CHECK(hash_key().second % 2 == 1);
}

} // namespace test_seeded_hash
