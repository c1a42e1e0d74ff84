// The lines of a text file, one after the other.
#pragma once

#include "ingest/block_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace debrief::ingest::trackers {

class TextLines {
public:
  static constexpr std::size_t kMaxLine = std::size_t{1024} * 1024;

  explicit TextLines(BlockReader& bytes)
      : bytes_(bytes) {
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (bytes_.view().starts_with(kByteOrderMark)) bytes_.consume(kByteOrderMark.size());
  }

  /// Without its end; valid until the next call. Nothing at the end of the file, and from a line
  /// that is too long on.
  std::optional<std::string_view> next() {
    bytes_.consume(std::exchange(taken_, 0));
    for (;;) {
      const std::string_view view = bytes_.view();
      if (const std::size_t end = view.find('\n'); end != view.npos) return give(end, end + 1);
      if (view.size() > kMaxLine) {
        too_long_ = true;
        return std::nullopt;
      }
      if (bytes_.more()) continue;
      if (bytes_.view().empty()) return std::nullopt;
      ended_ = false;
      return give(bytes_.view().size(), bytes_.view().size());
    }
  }

  /// Of the last line, from 1.
  std::uint64_t number() const { return number_; }

  /// Whether the last line had a line break: one that has none may be cut off.
  bool ended() const { return ended_; }

  bool too_long() const { return too_long_; }

private:
  std::string_view give(std::size_t size, std::size_t taken) {
    ++number_;
    taken_ = taken;
    std::string_view line = bytes_.view().substr(0, size);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
  }

  BlockReader& bytes_;
  std::size_t taken_ = 0;
  std::uint64_t number_ = 0;
  bool ended_ = true;
  bool too_long_ = false;
};

} // namespace debrief::ingest::trackers
