#include "ingest/plain_number.h"

#include "ingest/digits.h"

#include <array>
#include <charconv>
#include <cstdint>

namespace debrief::ingest {

namespace {

constexpr int kMaxDigits = 19; // of a mantissa that fits 64 bits

} // namespace

const char* read_plain_number(const char* text, double& into) {
  constexpr std::array<double, kMaxDigits> kPowers = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,
                                                      1e7,  1e8,  1e9,  1e10, 1e11, 1e12, 1e13,
                                                      1e14, 1e15, 1e16, 1e17, 1e18};
  const bool negative = *text == '-';
  const char* const first = text + (negative ? 1 : 0);
  std::uint64_t mantissa = 0;
  const char* end = take_digits(first, kMaxDigits, mantissa);
  const auto whole = end - first;
  if (whole == 0 || (whole > 1 && *first == '0')) return nullptr;
  std::ptrdiff_t decimals = 0;
  if (*end == '.') {
    const char* const fraction = end + 1;
    end = take_digits(fraction, kMaxDigits - static_cast<int>(whole), mantissa);
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

} // namespace debrief::ingest
