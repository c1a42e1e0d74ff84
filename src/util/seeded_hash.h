// The hash of every table whose keys a job's files choose (names, paths, addresses).
//
// A hash that is known beforehand lets a file choose keys that all fall into one bucket, and a
// table of n keys then takes n² steps. This one depends on a key that is drawn anew for each run,
// so nothing that is written to disk can know it. The order of such a table differs from run to
// run: nothing may be written in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace debrief {

/// 128 random bits, the same during a run.
struct HashKey {
  std::uint64_t first = 0;
  std::uint64_t second = 0;
};

namespace detail {

HashKey draw_hash_key();

/// Both halves of the product, so that each bit of the operands counts.
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Wide = unsigned __int128;
  const Wide product = static_cast<Wide>(a) * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}

/// Up to eight bytes; those that are missing count as zeros.
inline std::uint64_t load_bytes(const char* bytes, std::size_t count) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, count);
  return word;
}

} // namespace detail

inline const HashKey& hash_key() {
  static const HashKey key = detail::draw_hash_key();
  return key;
}

inline std::uint64_t seeded_hash(std::uint64_t number) {
  const HashKey& key = hash_key();
  return detail::folded_product(number ^ key.first, key.second);
}

/// By the method of wyhash, with a secret key: 16 bytes at a time.
inline std::uint64_t seeded_hash(std::string_view text) {
  using detail::folded_product;
  using detail::load_bytes;
  const HashKey& key = hash_key();
  const char* at = text.data();
  std::size_t left = text.size();
  std::uint64_t hash = key.second;
  for (; left > 16; at += 16, left -= 16)
    hash = folded_product(load_bytes(at, 8) ^ key.first, load_bytes(at + 8, 8) ^ hash);
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  if (left > 8) {
    low = load_bytes(at, 8);
    high = load_bytes(at + left - 8, 8);
  } else if (left >= 4) {
    low = load_bytes(at, 4);
    high = load_bytes(at + left - 4, 4);
  } else if (left > 0) {
    low = load_bytes(at, left);
  }
  hash = folded_product(low ^ key.first, high ^ hash);
  return folded_product(hash ^ text.size(), key.second);
}

/// For std::unordered_map and std::unordered_set.
struct SeededHash {
  std::size_t operator()(std::string_view text) const { return seeded_hash(text); }

  std::size_t operator()(std::uint64_t number) const { return seeded_hash(number); }
};

} // namespace debrief
