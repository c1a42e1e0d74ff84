#include "ingest/chrome_trace/repair.h"

#include "ingest/chrome_trace/tokens.h"

namespace debrief::ingest::chrome_trace {

namespace {

unsigned byte_at(std::span<char> bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

/// The length of the valid character at `at`; 0 where there is none.
std::size_t character_length(std::span<char> bytes, std::size_t at) {
  const auto follows = [&](std::size_t distance, unsigned least = 0x80, unsigned most = 0xBF) {
    const unsigned byte = byte_at(bytes, at + distance);
    return byte >= least && byte <= most;
  };
  const unsigned lead = byte_at(bytes, at);
  if (lead < 0x80) return 1;
  if (lead >= 0xC2 && lead <= 0xDF) return follows(1) ? 2 : 0;
  if (lead >= 0xE0 && lead <= 0xEF) { // no longer forms than needed, no surrogates
    const bool second = follows(1, lead == 0xE0 ? 0xA0 : 0x80, lead == 0xED ? 0x9F : 0xBF);
    return second && follows(2) ? 3 : 0;
  }
  if (lead >= 0xF0 && lead <= 0xF4) { // up to U+10FFFF
    const bool second = follows(1, lead == 0xF0 ? 0x90 : 0x80, lead == 0xF4 ? 0x8F : 0xBF);
    return second && follows(2) && follows(3) ? 4 : 0;
  }
  return 0;
}

} // namespace

Repaired repair_utf8(std::span<char> bytes) {
  Repaired repaired;
  bool in_run = false;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t length = character_length(bytes, at);
    if (length == 0) {
      if (!in_run && repaired.count++ == 0) repaired.first = at;
      bytes[at] = '?';
    }
    in_run = length == 0;
    at += length == 0 ? 1 : length;
  }
  return repaired;
}

Repaired repair_controls(std::span<char> bytes) {
  Repaired repaired;
  bool in_string = false;
  bool in_run = false;
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const bool control = static_cast<unsigned char>(bytes[at]) < 0x20;
    if (control) {
      if (in_string && !in_run && repaired.count++ == 0) repaired.first = at;
      bytes[at] = ' ';
    }
    in_run = control;
    if (bytes[at] == '"') in_string = !in_string;
    if (in_string && bytes[at] == '\\' && at + 1 < bytes.size() && bytes[at + 1] != '\n') ++at;
  }
  return repaired;
}

std::string close_object(std::string_view text, bool& cut) {
  std::size_t depth = 0;
  std::size_t whole = 0; // up to here every member is whole
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if ((c == '}' || c == ']') && depth > 0 && --depth == 0) {
      cut = false;
      return std::string{text.substr(0, at + 1)};
    } else if (c == ',' && depth == 1) {
      whole = at;
    }
  }
  cut = true;
  return whole == 0 ? std::string{} : std::string{text.substr(0, whole)} + "}";
}

} // namespace debrief::ingest::chrome_trace
