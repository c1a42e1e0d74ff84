#include "ingest/chrome_trace/event_walk.h"

#include "ingest/chrome_trace/tokens.h"

#include <array>

namespace debrief::ingest::chrome_trace {

namespace {

/// Bytes at which the walk over an event has to look up; all others are passed at a byte a cycle or
/// so.
struct StopTable {
  std::array<bool, 256> stops{};

  constexpr explicit StopTable(std::string_view bytes) {
    for (const char c : bytes)
      stops[static_cast<unsigned char>(c)] = true;
  }

  bool operator()(char c) const { return stops[static_cast<unsigned char>(c)]; }
};

constexpr StopTable kStopsInString{"\"\\\n"};
constexpr StopTable kStopsOutside{"\"{}[]"};

/// Whether an event starts at `at`, behind its '{': what an event holds never starts with a phase.
bool starts_event(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at]))
    ++at;
  return text.substr(at).starts_with("\"ph\"");
}

} // namespace

EventWalk::Seen EventWalk::go_on(std::string_view text) {
  while (at_ < text.size()) {
    const Seen seen = in_string_ ? walk_string(text) : walk_outside(text);
    if (seen != Seen::end_of_text) return seen;
  }
  return Seen::end_of_text;
}

EventWalk::Seen EventWalk::walk_string(std::string_view text) {
  while (at_ < text.size() && !kStopsInString(text[at_]))
    ++at_;
  if (at_ >= text.size()) return Seen::end_of_text;
  if (text[at_] == '\n')
    return Seen::broken; // JSON strings hold no raw newline: a quote is missing
  if (text[at_] == '"') in_string_ = false;
  at_ += text[at_] == '\\' ? 2U : 1U; // an escaped byte may not have come yet; it is passed unseen
  return Seen::end_of_text;
}

EventWalk::Seen EventWalk::walk_outside(std::string_view text) {
  while (at_ < text.size() && !kStopsOutside(text[at_]))
    ++at_;
  if (at_ >= text.size()) return Seen::end_of_text;
  const char c = text[at_++];
  if (c == '"') {
    in_string_ = true;
  } else if (c == '{' || c == '[') {
    // Events start at the beginning of a line; what they hold is indented or on the same line.
    if (depth_ > 0 && c == '{' && (text[at_ - 2] == '\n' || starts_event(text, at_)))
      return Seen::broken;
    ++depth_;
  } else if (--depth_ == 0) {
    return Seen::end_of_event;
  }
  return Seen::end_of_text;
}

} // namespace debrief::ingest::chrome_trace
