// A file of /proc or /sys that is read again and again: it stays open, and a read costs one or two
// system calls and no memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::record {

/// Where the system's files are; tests put others in their place.
struct Roots {
  std::string proc = "/proc";
  std::string sys = "/sys";
};

/// What a file is read into; one for all files of a thread. What is beyond its end is cut off.
using Scratch = std::vector<char>;
inline constexpr std::size_t kScratchBytes = std::size_t{256} * 1024;

class ProcFile {
public:
  ProcFile() = default;
  /// A file that cannot be opened is closed from the start; that is no error.
  explicit ProcFile(const std::string& path);
  ~ProcFile();

  ProcFile(ProcFile&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}

  ProcFile& operator=(ProcFile&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }

  bool is_open() const { return descriptor_ >= 0; }

  /// What the file says now, valid until `scratch` is used again; empty where it cannot be read.
  std::string_view read(Scratch& scratch) const;

private:
  int descriptor_ = -1;
};

/// The text up to the next newline; `text` continues after it.
std::string_view next_line(std::string_view& text);

/// The text up to the next blank; `text` continues after it. Leading blanks are skipped.
std::string_view next_word(std::string_view& text);

/// The next word as a number; nothing where it is none.
std::optional<std::uint64_t> next_number(std::string_view& text);
std::optional<std::uint64_t> to_number(std::string_view word);

/// Of the line that starts with `key` and a blank or a colon: "MemTotal:  16 kB" -> 16.
std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key);

/// What a counter gained; nothing where it went back, as one that was reset does.
std::optional<double> gain(std::uint64_t before, std::uint64_t now);

/// The first line of a small file; empty where it cannot be read.
std::string first_line_of(const std::string& path);

} // namespace debrief::record
