// SHA-256 (FIPS 180-4): whether a file still is the one that a person looked at.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace debrief {

class Sha256 {
public:
  void add(std::string_view bytes);

  /// Of all that was added, as 64 hexadecimal digits. Nothing may be added afterwards.
  std::string hex();

private:
  void add_block(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> rest_{}; ///< what does not fill a block yet
  std::uint64_t size_ = 0;               ///< bytes added
};

std::string sha256_hex(std::string_view bytes);

} // namespace debrief
