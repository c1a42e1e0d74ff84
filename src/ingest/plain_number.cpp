#include "ingest/plain_number.h"

#include <array>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>

namespace debrief {

namespace {

constexpr int kMostDigits = 19; // of a mantissa that fits 64 bits

bool is_digit(char character) {
  return static_cast<unsigned char>(character - '0') < 10;
}

/// Whether all eight bytes are digits: each is 0x3?, and still is when 6 is added.
bool are_digits(std::uint64_t bytes) {
  constexpr std::uint64_t kHigh = 0xF0F0F0F0F0F0F0F0;
  return ((bytes & kHigh) | (((bytes + 0x0606060606060606) & kHigh) >> 4U)) == 0x3333333333333333;
}

/// The number that eight digits make, the first of them in the lowest byte: pairs, fours, all.
std::uint64_t number_of(std::uint64_t digits) {
  digits -= 0x3030303030303030;
  digits = digits * 10 + (digits >> 8U);
  constexpr std::uint64_t kPairs = 0x000000FF000000FF;
  return (((digits & kPairs) * (100 + (std::uint64_t{1'000'000} << 32U)) +
           ((digits >> 16U) & kPairs) * (1 + (std::uint64_t{10'000} << 32U))) >>
          32U) &
         0xFFFFFFFF;
}

/// Goes over the digits at `at`, of which no more than `most` are taken into `mantissa`.
const char* take_digits(const char* at, int most, std::uint64_t& mantissa) {
  if constexpr (std::endian::native == std::endian::little) {
    for (; most >= 8; most -= 8, at += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      if (!are_digits(bytes)) break;
      mantissa = mantissa * 100'000'000 + number_of(bytes);
    }
  }
  for (; most > 0 && is_digit(*at); --most, ++at)
    mantissa = mantissa * 10 + static_cast<std::uint64_t>(*at - '0');
  return at;
}

} // namespace

const char* read_plain_number(const char* text, double& into) {
  constexpr std::array<double, kMostDigits> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                       1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                       1e14, 1e15, 1e16, 1e17, 1e18};
  const bool negative = *text == '-';
  const char* const first = text + (negative ? 1 : 0);
  std::uint64_t mantissa = 0;
  const char* end = take_digits(first, kMostDigits, mantissa);
  const auto whole = end - first;
  if (whole == 0 || (whole > 1 && *first == '0')) return nullptr;
  std::ptrdiff_t decimals = 0;
  if (*end == '.') {
    const char* const fraction = end + 1;
    end = take_digits(fraction, kMostDigits - static_cast<int>(whole), mantissa);
    decimals = end - fraction;
    if (decimals == 0) return nullptr;
  }
  if (is_digit(*end) || *end == 'e' || *end == 'E' || *end == '.') return nullptr;
  // Both are exact doubles, so that the division rounds once, to the nearest.
  constexpr std::uint64_t kExact = std::uint64_t{1} << 53U;
  if (mantissa <= kExact) {
    const double number =
        static_cast<double>(mantissa) / kPowers[static_cast<std::size_t>(decimals)];
    into = negative ? -number : number;
    return end;
  }
  return std::from_chars(text, end, into).ptr == end ? end : nullptr;
}

} // namespace debrief
