// A block of the page's samples: arrays of whole numbers, byte plane by byte plane, and its way
// into the page as text. docs/page.md describes both.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace debrief::embed {

/// Where an array lies in its block, and how to read it.
struct Array {
  std::size_t offset = 0;
  std::size_t count = 0;
  int width = 1;      ///< bytes of a value: 1, 2 or 4
  bool delta = false; ///< values are differences from the one before
  double scale = 1;   ///< 0: logarithmic
};

/// Stands for "no sample", in any width.
inline constexpr std::uint32_t kNoSample = UINT32_MAX;

/// An array as a block has it, before it has a place there.
struct PackedArray {
  Array form; ///< without its offset
  std::string bytes;
};

/// In the smallest width that holds them all, as they are or as differences, whichever deflates
/// better.
PackedArray packed(std::span<const std::uint32_t> values, double scale);

class PackedArrays {
public:
  /// An array that the block has already is not stored again.
  Array add(const PackedArray& array);

  Array add(std::span<const std::uint32_t> values, double scale) {
    return add(packed(values, scale));
  }

  /// Text as it is; gives its offset.
  std::size_t add_text(std::string_view text);

  const std::string& bytes() const { return bytes_; }

  /// The bytes, of one that is no longer needed.
  std::string take() && { return std::move(bytes_); }

private:
  std::string bytes_;
  std::unordered_multimap<std::size_t, Array> arrays_; ///< by the hash of their bytes
};

/// What bytes are, which says how to deflate them.
enum class Content { samples, text };

/// As a zlib stream.
std::string deflated(std::string_view bytes, Content content);

std::string to_base64(std::string_view bytes);

/// Bytes of text that `bytes` take in base64.
constexpr std::size_t base64_size(std::size_t bytes) {
  return (bytes + 2) / 3 * 4;
}

// JSON that stands in a script element as it is.

/// `[offset, count, width, delta, scale]`.
nlohmann::ordered_json to_json(const Array& array);

/// As text without any `<`.
std::string script_text(const nlohmann::ordered_json& json);

} // namespace debrief::embed
