// Numbers of 16 bits as doubles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace debrief::ingest {

/// IEEE 754 binary16.
inline double from_half(std::uint16_t bits) {
  const auto exponent = static_cast<int>((bits >> 10U) & 0x1fU);
  const double fraction = (bits & 0x3ffU) / 1024.0;
  const double sign = (bits & 0x8000U) != 0 ? -1 : 1;
  if (exponent == 31)
    return fraction != 0 ? std::numeric_limits<double>::quiet_NaN()
                         : sign * std::numeric_limits<double>::infinity();
  if (exponent == 0) return sign * std::ldexp(fraction, -14);
  return sign * std::ldexp(1 + fraction, exponent - 15);
}

/// The upper half of a float.
inline double from_bfloat16(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U);
}

} // namespace debrief::ingest
