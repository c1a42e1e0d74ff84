#include "ingest/chrome_trace/events_list.h"

#include "ingest/chrome_trace/tokens.h"

#include <algorithm>

namespace debrief::ingest::chrome_trace {

namespace {

/// Whether the '[' at `at` of the view is followed by an event, as recorders write them.
bool opens_events(BlockReader& bytes, std::size_t at) {
  constexpr std::size_t kEnough = 64; // for white space and the first key
  while (bytes.view().size() < at + kEnough && bytes.more()) {
  }
  std::string_view text = bytes.view().substr(at + 1);
  for (const std::string_view token : {"{", "\"ph\""}) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(token)) return false;
    text.remove_prefix(token.size());
  }
  return true;
}

/// Consumes bytes before the first event.
void pass(BlockReader& bytes, std::size_t count, std::string& before) {
  constexpr std::size_t kMaxHeaderBytes = std::size_t{16} * 1024 * 1024; // no trace says more
  if (before.size() + count <= kMaxHeaderBytes) before.append(bytes.view().substr(0, count));
  bytes.consume(count);
}

} // namespace

/// A string ends with its line, and a list of events is known by its key and its first event, where
/// the depth is wrong.
std::optional<EventsList> enter_events_list(BlockReader& bytes) {
  EventsList list;
  int depth = 0;
  bool inside = false; // of something, at whatever depth
  bool in_string = false;
  bool escaped = false;
  std::string text; // of the string that was last seen
  bool key_seen = false;
  while (!bytes.view().empty() || bytes.more()) {
    std::size_t at = 0;
    for (; at < bytes.view().size(); ++at) { // looking ahead may move and lengthen it
      const char c = bytes.view()[at];
      if (in_string) {
        if (c == '\n') {
          in_string = false;
        } else if (!escaped && c == '"') {
          in_string = false;
          key_seen = text == "traceEvents";
        } else {
          escaped = !escaped && c == '\\';
          if (text.size() < 16) text += c;
        }
        continue;
      }
      if (c == '"') {
        in_string = true;
        escaped = false;
        text.clear();
      } else if (c == '[' && (!inside || (key_seen && (depth == 1 || opens_events(bytes, at))))) {
        pass(bytes, at + 1, list.before);
        list.alone = !inside;
        return list;
      } else if (c == '{' || c == '[') {
        inside = true;
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      }
      if (c != ':' && !is_json_space(c)) key_seen = false;
    }
    pass(bytes, at, list.before);
  }
  return std::nullopt;
}

} // namespace debrief::ingest::chrome_trace
