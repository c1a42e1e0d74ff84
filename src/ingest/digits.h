// Decimal digits, read eight at a time.
#pragma once

#include "util/text.h"

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

namespace debrief::ingest {

/// The number that eight digits make, given as values from 0 to 9, the first in the lowest byte: by
/// pairs, fours, all.
inline std::uint64_t number_of_digits(std::uint64_t digits) {
  digits = digits * 10 + (digits >> 8U);
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return (((digits & kPairs) * (100 + (std::uint64_t{1'000'000} << 32U)) +
           ((digits >> 16U) & kPairs) * (1 + (std::uint64_t{10'000} << 32U))) >>
          32U) &
         0xFFFFFFFF;
}

/// Appends the digits at `at`, `most` at most (19 fit), to `number`; returns where it stopped.
/// Eight bytes behind that are readable, whatever they hold. Without a branch for each digit, since
/// nobody can foretell how many there are.
inline const char* take_digits(const char* at, int most, std::uint64_t& number) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::array<std::uint64_t, 8> kPowers = {1,      10,      100,       1'000,
                                                      10'000, 100'000, 1'000'000, 10'000'000};
    while (most >= 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      const std::uint64_t values = bytes ^ 0x3030303030303030; // a digit's is below 10
      // The high bit of each byte that is none. Sums carry over only behind the first of them.
      const std::uint64_t others = ((values + 0x7676767676767676) | values) & 0x8080808080808080;
      if (others == 0) {
        number = number * 100'000'000 + number_of_digits(values);
        at += 8;
        most -= 8;
        continue;
      }
      const auto count = static_cast<unsigned>(std::countr_zero(others)) / 8;
      if (count == 0) return at;
      number = number * kPowers[count] + number_of_digits(values << (64 - 8 * count));
      return at + count;
    }
  }
  for (; most > 0 && is_digit(*at); --most, ++at)
    number = number * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

/// Reads an integer of up to 18 digits, which surely fits, and returns where it stopped; null where
/// there is none. What `take_digits` may look at is readable.
inline const char* take_integer(const char* at, std::int64_t& into) {
  const bool negative = *at == '-';
  const char* const digits = negative ? at + 1 : at;
  std::uint64_t number = 0;
  const char* const end = take_digits(digits, 18, number);
  if (end == digits) return nullptr;
  into = static_cast<std::int64_t>(number);
  if (negative) into = -into;
  return end;
}

} // namespace debrief::ingest
