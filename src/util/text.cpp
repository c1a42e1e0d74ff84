#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <limits>
#include <vector>

namespace debrief {

namespace {

constexpr std::uint32_t kInvalid = 0xFFFFFFFF;

/// Decodes the code point at `text[at]` and moves `at` past it; an invalid byte gives kInvalid and
/// moves by one.
std::uint32_t decode_utf8(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(at);
  std::size_t extra = 0;
  std::uint32_t code = lead;
  std::uint32_t least = 0;
  if (lead >= 0xF0 && lead < 0xF8) {
    extra = 3, code = lead & 0x07U, least = 0x10000;
  } else if (lead >= 0xE0 && lead < 0xF0) {
    extra = 2, code = lead & 0x0FU, least = 0x800;
  } else if (lead >= 0xC0 && lead < 0xE0) {
    extra = 1, code = lead & 0x1FU, least = 0x80;
  } else if (lead >= 0x80) {
    ++at;
    return kInvalid;
  }
  for (std::size_t i = 1; i <= extra; ++i) {
    if (at + i >= text.size() || (byte(at + i) & 0xC0U) != 0x80) {
      ++at;
      return kInvalid;
    }
    code = (code << 6U) | (byte(at + i) & 0x3FU);
  }
  const bool surrogate = code >= 0xD800 && code < 0xE000;
  if (code < least || code > 0x10FFFF || surrogate) {
    ++at;
    return kInvalid;
  }
  at += extra + 1;
  return code;
}

/// Characters that change or hide what a reader sees: controls, line separators, bidi and invisible
/// marks, letters without a look (Hangul fillers), tags and the selectors beyond them, which can
/// carry text that only a program sees.
bool is_deceptive(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x34F ||
         code == 0x61C || code == 0x115F || code == 0x1160 || code == 0x180E ||
         (code >= 0x200B && code <= 0x200F) || (code >= 0x2028 && code <= 0x202E) ||
         (code >= 0x2060 && code <= 0x206F) || code == 0x3164 || code == 0xFEFF || code == 0xFFA0 ||
         (code >= 0xFFF9 && code <= 0xFFFB) || (code >= 0xE0000 && code <= 0xE0FFF);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substituted = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
    }
  }
  return row[b.size()];
}

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
    ++end;
  return end - from;
}

} // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const std::uint32_t code = decode_utf8(text, at);
    if (code == kInvalid)
      out += fmt::format("\\x{{{:02x}}}", static_cast<unsigned char>(text[start]));
    else if (code == '\n')
      out += "\\n";
    else if (code == '\t')
      out += "\\t";
    else if (is_deceptive(code))
      out += fmt::format("\\u{{{:04x}}}", code);
    else
      out += text.substr(start, at - start);
  }
  return out;
}

std::string cut_off(std::string text, std::size_t bytes) {
  if (text.size() <= bytes) return text;
  std::size_t end = bytes;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
    --end; // not in the middle of a character
  return text.substr(0, end) + "…";
}

std::string safe_file_name(std::string_view text, std::string_view fallback) {
  constexpr std::size_t kMaxLength = 100;
  std::string out;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '.' || c == '_';
    if (plain && static_cast<unsigned char>(c) < 0x80)
      out += c;
    else if (!out.empty() && out.back() != '-')
      out += '-';
    if (out.size() == kMaxLength) break;
  }
  while (!out.empty() && (out.back() == '-' || out.back() == '.'))
    out.pop_back();
  const std::size_t visible = out.find_first_not_of("-.");
  out.erase(0, std::min(visible, out.size()));
  return out.empty() ? std::string{fallback} : out;
}

std::string_view nearest(std::string_view word, std::span<const std::string> candidates) {
  std::string_view best;
  // A third of the word may differ; more than that is another word.
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    // Lengths that differ by so much need no comparing, which for a word of megabytes takes long.
    const std::size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best_distance = distance;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> candidates) {
  const std::string_view best = nearest(word, candidates);
  return best.empty() ? std::string{} : fmt::format(" (did you mean '{}'?)", best);
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::size_t a_digits = digits_at(a, i);
    const std::size_t b_digits = digits_at(b, j);
    if (a_digits > 0 && b_digits > 0) {
      // Leading zeros aside, the longer run of digits is the larger number.
      std::string_view a_number = a.substr(i, a_digits);
      std::string_view b_number = b.substr(j, b_digits);
      a_number.remove_prefix(std::min(a_number.find_first_not_of('0'), a_number.size()));
      b_number.remove_prefix(std::min(b_number.find_first_not_of('0'), b_number.size()));
      if (a_number.size() != b_number.size()) return a_number.size() < b_number.size();
      if (a_number != b_number) return a_number < b_number;
      i += a_digits;
      j += b_digits;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b; // equal but for leading zeros
}

std::string count_of(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string to_human_bytes(double bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes,
                     unit == 0 || bytes >= 99.95 ? 0 : (bytes >= 9.995 ? 1 : 2), kUnits[unit]);
}

} // namespace debrief
