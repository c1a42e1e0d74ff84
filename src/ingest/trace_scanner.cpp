#include "ingest/trace_scanner.h"

#include <algorithm>
#include <string>

namespace debrief::ingest {

namespace {

/// find_event_end() found no end: the event is broken and the file goes on behind it.
constexpr std::size_t kBroken = static_cast<std::size_t>(-1);

} // namespace

bool TraceScanner::next_byte_available() {
  return !bytes_.view().empty() || bytes_.more();
}

/// No trace says as much about itself as this; what is longer is not kept.
constexpr std::size_t kMaxHeaderBytes = std::size_t{16} * 1024 * 1024;

/// Consumes bytes before the first event.
void TraceScanner::pass(std::size_t count) {
  if (before_ != nullptr && before_->size() + count <= kMaxHeaderBytes)
    before_->append(bytes_.view().substr(0, count));
  bytes_.consume(count);
}

/// Whether the '[' at `at` of the view is followed by an event, as recorders write them.
bool TraceScanner::opens_events(std::size_t at) {
  constexpr std::size_t kEnough = 64; // for white space and the first key
  while (bytes_.view().size() < at + kEnough && bytes_.more()) {
  }
  std::string_view text = bytes_.view().substr(at + 1);
  for (const std::string_view token : {"{", "\"ph\""}) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (!text.starts_with(token)) return false;
    text.remove_prefix(token.size());
  }
  return true;
}

/// A few damaged bytes before the list must not cost all of it: a string ends with its line, and a
/// list of events is known by its key and its first event, where the depth is wrong.
bool TraceScanner::enter_array() {
  int depth = 0;
  bool inside = false; // of something, at whatever depth
  bool in_string = false;
  bool escaped = false;
  std::string text; // of the string that was last seen
  bool key_seen = false;
  while (next_byte_available()) {
    std::size_t at = 0;
    for (; at < bytes_.view().size(); ++at) { // looking ahead may move and lengthen it
      const char c = bytes_.view()[at];
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
      } else if (c == '[' && (!inside || (key_seen && (depth == 1 || opens_events(at))))) {
        pass(at + 1);
        alone_ = !inside;
        return true;
      } else if (c == '{' || c == '[') {
        inside = true;
        ++depth;
      } else if (c == '}' || c == ']') {
        --depth;
      }
      if (c != ':' && !is_json_space(c)) key_seen = false;
    }
    pass(at);
  }
  return false;
}

void TraceScanner::look_behind_list() {
  while (alone_ && !followed_ && next_byte_available()) {
    const std::string_view view = bytes_.view();
    followed_ = !std::all_of(view.begin(), view.end(), is_json_space);
    bytes_.consume(view.size());
  }
}

/// Moves to the next '{'; false at the array's or the file's end.
bool TraceScanner::skip_to_event() {
  while (next_byte_available()) {
    const std::string_view view = bytes_.view();
    for (std::size_t at = 0; at < view.size(); ++at) {
      if (view[at] == '{' || view[at] == ']') {
        const bool event = view[at] == '{';
        bytes_.consume(event ? at : at + 1);
        if (!event) look_behind_list();
        return event;
      }
    }
    bytes_.consume(view.size());
  }
  return false;
}

/// The length of the event at the view's start; 0 where the file ends inside it; kBroken as above.
std::size_t TraceScanner::find_event_end() {
  EventWalk walk;
  const std::size_t longest = patience_.longest_event();
  for (;;) {
    const EventWalk::Seen seen = walk.go_on(bytes_.view().substr(0, longest));
    walked_ = walk.length();
    if (seen == EventWalk::Seen::end_of_event) return walked_;
    if (seen == EventWalk::Seen::broken || walked_ >= longest) return kBroken;
    if (!bytes_.more()) return 0;
  }
}

/// How far to go on after a broken event: to the next line that starts with '{', else to the next
/// "},{" on the same line, else past `event_length` bytes.
std::size_t TraceScanner::resync_after(std::size_t event_length) const {
  constexpr std::size_t kNear = 4096; // the line that follows an event starts close behind it
  const std::string_view view = bytes_.view().substr(0, event_length + kNear);
  for (std::size_t newline = view.find('\n', 1); newline != view.npos;
       newline = view.find('\n', newline + 1)) {
    std::size_t at = newline + 1;
    while (at < view.size() && is_json_space(view[at]) && view[at] != '\n')
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
    const auto go_on_behind = [&](std::size_t event_length) {
      broken(bytes_.offset());
      patience_.waste(walked_);
      bytes_.consume(patience_.lost() ? std::min(walked_, view.size())
                                      : resync_after(event_length));
    };
    if (length == 0) {
      // The rest of the file is one unfinished event, unless a missing quote or bracket hid others
      // in it.
      if (resync_after(view.size()) >= view.size()) {
        cut_off_ = true;
        return;
      }
      go_on_behind(view.size());
    } else if (length == kBroken) {
      go_on_behind(std::min(view.size(), patience_.longest_event()));
    } else if (take({view.substr(0, length), bytes_.capacity(), bytes_.offset()}) ==
               Verdict::good) {
      bytes_.consume(length);
    } else {
      go_on_behind(length);
    }
  }
}

} // namespace debrief::ingest
