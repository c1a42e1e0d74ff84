#include "ingest/trace_scanner.h"

#include <array>
#include <string>

namespace debrief {

namespace {

/// No event is as long as this; a longer one has lost its end.
constexpr std::size_t kLongestEvent = std::size_t{4} * 1024 * 1024;

/// find_event_end() found no end: the event is broken and the file goes on behind it.
constexpr std::size_t kBroken = static_cast<std::size_t>(-1);

bool is_space(char c) {
  return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

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

/// Walks over an event's text, keeping track of strings and depth; knows nothing of grammar. Goes
/// on where it stopped when more of the text has come.
class EventWalk {
public:
  enum class Seen { end_of_text, end_of_event, broken };

  /// `text` starts with the event's '{'.
  Seen go_on(std::string_view text) {
    while (at_ < text.size()) {
      const Seen seen = in_string_ ? walk_string(text) : walk_outside(text);
      if (seen != Seen::end_of_text) return seen;
    }
    return Seen::end_of_text;
  }

  std::size_t length() const { return at_; }

private:
  Seen walk_string(std::string_view text) {
    while (at_ < text.size() && !kStopsInString(text[at_]))
      ++at_;
    if (at_ >= text.size()) return Seen::end_of_text;
    if (text[at_] == '\n')
      return Seen::broken; // JSON strings hold no raw newline: a quote is missing
    if (text[at_] == '"') in_string_ = false;
    at_ +=
        text[at_] == '\\' ? 2U : 1U; // an escaped byte may not have come yet; it is passed unseen
    return Seen::end_of_text;
  }

  Seen walk_outside(std::string_view text) {
    while (at_ < text.size() && !kStopsOutside(text[at_]))
      ++at_;
    if (at_ >= text.size()) return Seen::end_of_text;
    const char c = text[at_++];
    if (c == '"') {
      in_string_ = true;
    } else if (c == '{' || c == '[') {
      // Events start at the beginning of a line; what they hold is indented or on the same line.
      if (depth_ > 0 && c == '{' && text[at_ - 2] == '\n') return Seen::broken;
      ++depth_;
    } else if (--depth_ == 0) {
      return Seen::end_of_event;
    }
    return Seen::end_of_text;
  }

  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_string_ = false;
};

} // namespace

bool TraceScanner::next_byte_available() {
  return !bytes_.view().empty() || bytes_.more();
}

/// No trace says as much about itself as this; what is longer is not kept.
constexpr std::size_t kLongestHeader = std::size_t{16} * 1024 * 1024;

/// Consumes bytes before the first event.
void TraceScanner::pass(std::size_t count) {
  if (before_ != nullptr && before_->size() + count <= kLongestHeader)
    before_->append(bytes_.view().substr(0, count));
  bytes_.consume(count);
}

/// Moves to the first byte after the '[' that opens the events; false where there is none.
bool TraceScanner::enter_array() {
  int depth = 0;
  bool in_string = false;
  bool escaped = false;
  std::string text; // of the string that was last seen at depth 1
  bool key_seen = false;
  while (next_byte_available()) {
    const std::string_view view = bytes_.view();
    for (std::size_t at = 0; at < view.size(); ++at) {
      const char c = view[at];
      if (in_string) {
        if (!escaped && c == '"') {
          in_string = false;
          key_seen = depth == 1 && text == "traceEvents";
        } else {
          escaped = !escaped && c == '\\';
          if (depth == 1 && text.size() < 16) text += c;
        }
        continue;
      }
      if (c == '"') {
        in_string = true;
        text.clear();
      } else if (c == '[' && (depth == 0 || (depth == 1 && key_seen))) {
        pass(at + 1);
        return true;
      } else if (c == '{' || c == '[') {
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      }
      if (c != ':' && !is_space(c)) key_seen = false;
    }
    pass(view.size());
  }
  return false;
}

/// Moves to the next '{'; false at the array's or the file's end.
bool TraceScanner::skip_to_event() {
  while (next_byte_available()) {
    const std::string_view view = bytes_.view();
    for (std::size_t at = 0; at < view.size(); ++at) {
      if (view[at] == '{' || view[at] == ']') {
        bytes_.consume(at);
        return view[at] == '{';
      }
    }
    bytes_.consume(view.size());
  }
  return false;
}

/// The length of the event at the view's start; 0 where the file ends inside it; kBroken as above.
std::size_t TraceScanner::find_event_end() {
  EventWalk walk;
  for (;;) {
    const EventWalk::Seen seen = walk.go_on(bytes_.view());
    if (seen == EventWalk::Seen::end_of_event) return walk.length();
    if (seen == EventWalk::Seen::broken || walk.length() >= kLongestEvent) return kBroken;
    if (!bytes_.more()) return 0;
  }
}

/// How far to go on after a broken event: to the next line that starts with '{', else to the next
/// "},{" on the same line, else past `event_length` bytes.
std::size_t TraceScanner::resync_after(std::size_t event_length) const {
  const std::string_view view = bytes_.view();
  for (std::size_t newline = view.find('\n', 1); newline != view.npos;
       newline = view.find('\n', newline + 1)) {
    std::size_t at = newline + 1;
    while (at < view.size() && is_space(view[at]) && view[at] != '\n')
      ++at;
    if (at < view.size() && view[at] == '{') return at;
    if (newline > event_length) break;
  }
  const std::size_t next = view.substr(0, event_length).find("},{", 1);
  return next == view.npos ? event_length : next + 2;
}

void TraceScanner::run(const std::function<Verdict(const EventText&)>& take,
                       const std::function<void(std::uint64_t)>& broken) {
  if (!enter_array()) return;
  found_events_ = true;
  while (skip_to_event()) {
    const std::size_t length = find_event_end();
    const std::string_view view = bytes_.view();
    if (length == 0) {
      // The rest of the file is one unfinished event, unless a missing quote or bracket hid others
      // in it.
      const std::size_t next = resync_after(view.size());
      if (next >= view.size()) {
        cut_off_ = true;
        return;
      }
      broken(bytes_.offset());
      bytes_.consume(next);
    } else if (length == kBroken) {
      broken(bytes_.offset());
      bytes_.consume(resync_after(std::min(view.size(), kLongestEvent)));
    } else if (take({view.substr(0, length), bytes_.capacity(), bytes_.offset()}) ==
               Verdict::good) {
      bytes_.consume(length);
    } else {
      broken(bytes_.offset());
      bytes_.consume(resync_after(length));
    }
  }
}

} // namespace debrief
