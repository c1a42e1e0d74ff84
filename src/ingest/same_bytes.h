// Compares bytes with a literal, in a few instructions instead of a call: what a parser does most.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace debrief::ingest {

/// Whether the `size` bytes at both places are the same.
template <std::size_t size>
inline bool same_bytes(const char* a, const char* b) {
  const auto differ = [&]<typename Word>(std::size_t at, Word) {
    Word of_a;
    Word of_b;
    std::memcpy(&of_a, a + at, sizeof(Word));
    std::memcpy(&of_b, b + at, sizeof(Word));
    return of_a != of_b;
  };
  if constexpr (size >= 8) {
    // The last word overlaps the one before it where the size is not a multiple of eight.
    for (std::size_t at = 0; at + 8 < size; at += 8)
      if (differ(at, std::uint64_t{})) return false;
    return !differ(size - 8, std::uint64_t{});
  } else if constexpr (size >= 4) {
    return !differ(0, std::uint32_t{}) && !differ(size - 4, std::uint32_t{});
  } else {
    for (std::size_t at = 0; at < size; ++at)
      if (a[at] != b[at]) return false;
    return true;
  }
}

template <std::size_t size>
inline bool is_text(std::string_view text, const char (&literal)[size]) {
  return text.size() == size - 1 && same_bytes<size - 1>(text.data(), literal);
}

} // namespace debrief::ingest
