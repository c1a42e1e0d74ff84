#include "embed/packed_arrays.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace debrief::embed {

namespace {

constexpr std::uint32_t greatest(int width) {
  return width == 4 ? UINT32_MAX : (1U << (8 * width)) - 1;
}

int width_for(std::span<const std::uint32_t> values) {
  std::uint32_t largest = 0;
  for (const std::uint32_t value : values)
    if (value != kNoSample) largest = std::max(largest, value);
  return largest < greatest(1) ? 1 : largest < greatest(2) ? 2 : 4;
}

/// All lowest bytes, then all next bytes, …
std::string planes(std::span<const std::uint32_t> values, int width) {
  std::string bytes(values.size() * static_cast<std::size_t>(width), '\0');
  char* out = bytes.data();
  for (int shift = 0; shift < 8 * width; shift += 8)
    for (const std::uint32_t value : values)
      *out++ = static_cast<char>(static_cast<unsigned char>(value >> shift));
  return bytes;
}

/// Bits that a code knowing nothing but how often each byte of a plane occurs would take: what
/// deflating comes to where nothing repeats.
double bits(std::string_view planes, std::size_t plane_size) {
  double sum = 0;
  for (std::size_t from = 0; from < planes.size(); from += plane_size) {
    std::array<std::uint32_t, 256> counts{};
    for (const char byte : planes.substr(from, plane_size))
      ++counts[static_cast<unsigned char>(byte)];
    for (const std::uint32_t count : counts)
      if (count > 0)
        sum -= count * std::log2(static_cast<double>(count) / static_cast<double>(plane_size));
  }
  return sum;
}

bool same_form(const Array& a, const Array& b) {
  return a.count == b.count && a.width == b.width && a.delta == b.delta && a.scale == b.scale;
}

} // namespace

Array PackedArrays::add(std::span<const std::uint32_t> values, double scale) {
  Array array{bytes_.size(), values.size(), width_for(values), false, scale};
  const std::uint32_t mask = greatest(array.width);
  std::vector<std::uint32_t> stored(values.begin(), values.end());
  for (std::uint32_t& value : stored)
    value &= mask; // no sample: all bits of the width
  std::string bytes = planes(stored, array.width);
  for (std::size_t i = stored.size(); i-- > 1;)
    stored[i] = (stored[i] - stored[i - 1]) & mask;
  std::string differences = planes(stored, array.width);
  if (bits(differences, values.size()) < bits(bytes, values.size())) {
    array.delta = true;
    bytes = std::move(differences);
  }
  const std::string_view all = bytes_;
  const std::size_t hash = std::hash<std::string_view>{}(bytes);
  const auto [first, last] = arrays_.equal_range(hash);
  for (auto known = first; known != last; ++known)
    if (same_form(known->second, array) && all.substr(known->second.offset, bytes.size()) == bytes)
      return known->second;
  bytes_ += bytes;
  arrays_.emplace(hash, array);
  return array;
}

std::size_t PackedArrays::add_text(std::string_view text) {
  const std::size_t offset = bytes_.size();
  bytes_ += text;
  return offset;
}

std::string deflated(std::string_view bytes) {
  std::string out(compressBound(static_cast<uLong>(bytes.size())), '\0');
  auto size = static_cast<uLongf>(out.size());
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): zlib's bytes are unsigned
  if (compress(reinterpret_cast<Bytef*>(out.data()), &size,
               // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
               reinterpret_cast<const Bytef*>(bytes.data()),
               static_cast<uLong>(bytes.size())) != Z_OK)
    throw std::bad_alloc{}; // there is room for what comes out, so nothing else can fail
  out.resize(size);
  return out;
}

std::string to_base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve(base64_size(bytes.size()));
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::string_view group = bytes.substr(i, 3);
    std::uint32_t bits = 0;
    for (std::size_t j = 0; j < 3; ++j)
      bits = bits << 8 | (j < group.size() ? static_cast<unsigned char>(group[j]) : 0U);
    for (std::size_t j = 0; j < 4; ++j)
      out += j <= group.size() ? kDigits[bits >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

using Json = nlohmann::ordered_json;

Json to_json(const Array& array) {
  return Json::array({array.offset, array.count, array.width, array.delta ? 1 : 0, array.scale});
}

std::string script_text(const Json& json) {
  const std::string text = json.dump();
  std::string out;
  out.reserve(text.size());
  for (const char c : text)
    if (c == '<') // occurs only within texts, where it may be written in another way
      out += "\\u003c";
    else
      out += c;
  return out;
}

} // namespace debrief::embed
