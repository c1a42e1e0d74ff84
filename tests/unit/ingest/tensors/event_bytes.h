// Saved tensors byte by byte, as smdebug writes them.
#pragma once

#include "ingest/trackers/tensor_records.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace debrief::test {

template <typename Value>
std::string raw_bytes(Value value) {
  std::string out(sizeof(Value), '\0');
  std::memcpy(out.data(), &value, sizeof(Value));
  return out;
}

inline std::string message_field(int number, const std::string& data) {
  std::string out;
  out += static_cast<char>(number << 3 | 2);
  for (std::size_t size = data.size();; size >>= 7U) {
    out += static_cast<char>((size & 0x7fU) | (size > 0x7f ? 0x80U : 0U));
    if (size <= 0x7f) break;
  }
  return out + data;
}

/// With smdebug's constant in place of the payload's checksum.
inline std::string tensor_frame(const std::string& payload) {
  const std::string length = raw_bytes<std::uint64_t>(payload.size());
  return length + raw_bytes(ingest::trackers::masked_crc32c(length)) + payload +
         raw_bytes<std::uint32_t>(0x062dc0b3U);
}

inline std::string tensor_event(const std::string& name, const std::string& tensor, int step = 7,
                                double time = 1.7e9) {
  const std::string value =
      message_field(1, message_field(1, name) + message_field(8, tensor) +
                           message_field(9, message_field(1, message_field(1, "mode_step"))));
  return tensor_frame("\x09" + raw_bytes(time) + "\x10" + static_cast<char>(step) +
                      message_field(5, value));
}

/// Floats of one dimension.
inline std::string float_tensor(const std::vector<float>& values) {
  std::string content;
  for (const float value : values)
    content += raw_bytes(value);
  const std::string dimension =
      values.empty() ? std::string{} : std::string{"\x08"} + static_cast<char>(values.size());
  return "\x08\x01" + message_field(2, message_field(2, dimension)) + message_field(4, content);
}

} // namespace debrief::test
