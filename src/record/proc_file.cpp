#include "record/proc_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>

namespace debrief::record {

namespace {

constexpr std::string_view kBlanks = " \t";

} // namespace

ProcFile::ProcFile(const std::string& path)
    : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}

ProcFile::~ProcFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

std::string_view ProcFile::read(Scratch& scratch) const {
  if (descriptor_ < 0) return {};
  std::size_t size = 0;
  while (size < scratch.size()) {
    const ssize_t got = ::pread(descriptor_, scratch.data() + size, scratch.size() - size,
                                static_cast<off_t>(size));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return {};
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  return {scratch.data(), size};
}

std::string_view next_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

std::string_view next_word(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == text.npos) {
    text = {};
    return {};
  }
  text.remove_prefix(begin);
  const std::size_t end = std::min(text.find_first_of(kBlanks), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::optional<std::uint64_t> to_number(std::string_view word) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  return error == std::errc{} && end == word.data() + word.size() ? std::optional{number}
                                                                  : std::nullopt;
}

std::optional<std::uint64_t> next_number(std::string_view& text) {
  return to_number(next_word(text));
}

std::optional<std::uint64_t> number_of(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    std::string_view line = next_line(text);
    if (!line.starts_with(key)) continue;
    line.remove_prefix(key.size());
    if (line.empty() || (line.front() != ' ' && line.front() != ':' && line.front() != '\t'))
      continue;
    line.remove_prefix(1);
    return next_number(line);
  }
  return std::nullopt;
}

std::optional<double> gain(std::uint64_t before, std::uint64_t now) {
  return now >= before ? std::optional{static_cast<double>(now - before)} : std::nullopt;
}

std::string first_line_of(const std::string& path) {
  Scratch scratch(4096);
  std::string_view text = ProcFile{path}.read(scratch);
  return std::string{next_line(text)};
}

} // namespace debrief::record
