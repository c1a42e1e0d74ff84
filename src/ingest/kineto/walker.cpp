#include "ingest/kineto/walker.h"

#include <algorithm>

namespace debrief::ingest::kineto {

namespace {

std::size_t walker_skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_json_space(text[at]))
    ++at;
  return at;
}

/// Where to go on after a broken event at `at`: the next line that starts with '{', or the next
/// event on the same line; `end` where there is none before it.
std::size_t resync(std::string_view text, std::size_t at, std::size_t end) {
  const std::string_view within = text.substr(0, end);
  for (std::size_t mark = within.find_first_of("\n,", at + 1); mark != within.npos;
       mark = within.find_first_of("\n,", mark + 1)) {
    const std::size_t next = walker_skip_space(within, mark + 1);
    if (next >= end || within[next] != '{') continue;
    if (within[mark] == '\n' || is_boundary(within, mark)) return next;
  }
  return end;
}

} // namespace

EventWalker::Outcome EventWalker::walk(std::string_view text, std::uint64_t offset,
                                       std::size_t from, std::size_t until, bool last, Part& part) {
  std::size_t at = from;
  for (;;) {
    bool stray = false; // text that is no event, such as a line of a log
    for (; at < text.size() && text[at] != '{'; ++at) {
      if (text[at] == ']') {
        const Answer ended = ends_events(text, at, last);
        if (ended == Answer::yes) return {Stop::events_end, at};
        if (ended == Answer::undecided) return {Stop::unfinished, at};
      }
      if (is_json_space(text[at]) || text[at] == ',' || stray) continue;
      part.skip("text between events", offset + at);
      stray = true;
    }
    if (at >= std::min(text.size(), until)) return {Stop::reached, std::min(at, text.size())};

    EventWalk walk;
    const std::size_t longest = patience_.longest_event();
    const std::string_view event = text.substr(at, longest);
    const EventWalk::Seen seen = walk.go_on(event);
    if (seen == EventWalk::Seen::end_of_event) {
      const std::string_view whole = event.substr(0, walk.length());
      if (parser_.parse_one(whole, offset + at, part)) {
        at += walk.length();
        continue;
      }
      part.take_broken(offset + at);
      patience_.waste(walk.length());
      at = patience_.lost() ? at + walk.length() : resync(text, at, at + walk.length());
      continue;
    }
    const bool at_end = seen == EventWalk::Seen::end_of_text && at + event.size() == text.size();
    if (at_end && !last && event.size() < longest) return {Stop::unfinished, at};
    const std::size_t next = resync(text, at, text.size());
    // The rest of the file is one unfinished event, unless a missing bracket hid others in it.
    if (at_end && last && next == text.size()) return {Stop::unfinished, at};
    patience_.waste(walk.length());
    part.take_broken(offset + at);
    // A walk that broke off did so at what may be the start of the next event.
    const std::size_t walked = seen == EventWalk::Seen::broken ? walk.length() - 1 : walk.length();
    at = patience_.lost() && !at_end ? at + walked : next;
  }
}

} // namespace debrief::ingest::kineto
