#include "util/seeded_hash.h"

#include <sys/auxv.h>

#include <cstring>

namespace debrief::detail {

/// The system hands 16 random bytes to each program that it starts.
HashKey draw_hash_key() {
  HashKey key{0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93}; // where it does not
  if (const auto bytes = ::getauxval(AT_RANDOM); bytes != 0)
    std::memcpy(&key, reinterpret_cast<const void*>(bytes), sizeof key); // NOLINT: an address
  key.second |= 1U; // a product with zero would forget the other operand
  return key;
}

} // namespace debrief::detail
