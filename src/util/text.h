// Text that comes from a job is untrusted: these functions make it safe to show or to use in a file
// name.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace debrief {

inline bool is_digit(char character) {
  return static_cast<unsigned char>(character - '0') < 10;
}

/// The text as one line that shows everything in it: control characters, bidirectional overrides,
/// line separators and invalid UTF-8 become visible escapes (`\n`, `\u{202e}`, `\x{ff}`). Not
/// HTML-escaped.
std::string printable(std::string_view text);

/// At most `bytes` of the text, whole characters, with "…" after them where some were cut off.
std::string cut_off(std::string text, std::size_t bytes);

/// A file name made of the text: letters, digits, '.', '-', '_' stay, runs of anything else become
/// one '-'. Never empty, never hidden, never longer than 100 bytes: "../a b" -> "a-b", "" ->
/// `fallback`.
std::string safe_file_name(std::string_view text, std::string_view fallback);

/// The candidate nearest to `word` by edit distance, if it is near enough to be meant; else empty.
std::string_view nearest(std::string_view word, std::span<const std::string> candidates);

/// " (did you mean 'x'?)" or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string> candidates);

/// Orders "cpu2" before "cpu10", and by plain text otherwise.
bool natural_less(std::string_view a, std::string_view b);

/// "1 file", "3 files".
std::string count_of(std::size_t count, std::string_view noun);

/// 1536 -> "1.5 kB"; decimal units, three significant digits.
std::string to_human_bytes(double bytes);

} // namespace debrief
