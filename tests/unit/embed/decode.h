// Reads back what embed writes, as docs/page.md says and by other means than the code under test.
#pragma once

#include "embed/embed.h"

#include <nlohmann/json.hpp>
#include <zlib.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

namespace debrief::test {

inline std::string from_base64(const std::string& text) {
  static const std::string digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  std::uint32_t bits = 0;
  int have = 0;
  for (const char c : text) {
    if (c == '=') break;
    bits = bits << 6 | static_cast<std::uint32_t>(digits.find(c));
    have += 6;
    if (have >= 8) {
      have -= 8;
      out += static_cast<char>(static_cast<unsigned char>(bits >> have));
    }
  }
  return out;
}

inline std::string inflated(const std::string& bytes) {
  for (std::size_t room = 100'000; room < 1'000'000'000; room *= 4) {
    std::string out(room, '\0');
    auto size = static_cast<uLongf>(out.size());
    const int outcome =
        uncompress(reinterpret_cast<Bytef*>(out.data()), &size,
                   reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()));
    if (outcome == Z_BUF_ERROR) continue;
    if (outcome != Z_OK) break;
    out.resize(size);
    return out;
  }
  throw std::runtime_error("not a zlib stream");
}

/// The values of an array `[offset, count, width, delta, scale]`; NaN: no sample.
inline std::vector<double> decoded(const std::string& block, const nlohmann::json& array) {
  const auto offset = array.at(0).get<std::size_t>();
  const auto count = array.at(1).get<std::size_t>();
  const auto width = array.at(2).get<std::size_t>();
  const auto scale = array.at(4).get<double>();
  const std::uint64_t modulus = std::uint64_t{1} << (8 * width);
  std::vector<double> out;
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t value = 0;
    for (std::size_t byte = 0; byte < width; ++byte)
      value += std::uint64_t{static_cast<unsigned char>(block.at(offset + byte * count + i))}
               << (8 * byte);
    if (array.at(3) == 1 && i > 0) value = (value + before) % modulus;
    before = value;
    if (value == modulus - 1)
      out.push_back(std::numeric_limits<double>::quiet_NaN());
    else
      out.push_back(scale > 0 ? static_cast<double>(value) * scale
                              : std::exp2(static_cast<double>(value) / 1600) - 1);
  }
  return out;
}

/// An embedded timeline, unpacked.
struct Unpacked {
  nlohmann::json index;
  std::vector<std::string> blocks;

  explicit Unpacked(const embed::Embedded& embedded)
      : index(nlohmann::json::parse(embedded.index)) {
    for (const std::string& block : embedded.blocks)
      blocks.push_back(inflated(from_base64(block)));
  }

  std::vector<double> array(const nlohmann::json& holder, const nlohmann::json& place) const {
    return decoded(blocks.at(holder.at("block").get<std::size_t>()), place);
  }

  std::vector<double> array(const nlohmann::json& holder, const char* name) const {
    return array(holder, holder.at(name));
  }

  const nlohmann::json& metric(std::size_t node, std::size_t metric) const {
    return index.at("nodes").at(node).at("metrics").at(metric);
  }
};

} // namespace debrief::test
