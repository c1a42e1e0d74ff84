#include "ingest/chrome_trace/event_parser.h"

#include "ingest/chrome_trace/repair.h"

#include <algorithm>

namespace debrief::ingest::chrome_trace {

namespace {

constexpr const char* kRepairedControls = "control characters in a text replaced by spaces";

enum class Answer { no, yes, undecided };

/// Where the last event of a text may begin: looked for once, however many brackets ask.
class LastEvent {
public:
  explicit LastEvent(std::string_view text)
      : text_(text) {}

  bool is_behind(std::size_t at) {
    if (!looked_) place_ = text_.rfind("\"ph\"");
    looked_ = true;
    return place_ != text_.npos && place_ >= at;
  }

private:
  std::string_view text_;
  std::size_t place_ = 0;
  bool looked_ = false;
};

/// Whether the ']' at `at` closes the events. The last one does if the trace's next member or its
/// end follows, and no event any more. Undecided where the text does not show it; `last` says
/// whether the file ends with it.
Answer ends_events(ListEnd list_end, std::string_view text, LastEvent& last_event, std::size_t at,
                   bool last) {
  if (list_end == ListEnd::first) return Answer::yes;
  const auto next = [&] {
    do
      ++at;
    while (at < text.size() && is_json_space(text[at]));
    return at < text.size() ? text[at] : '\0';
  };
  const char follows = next();
  const bool plausible = at >= text.size() || follows == '}' ||
                         (follows == ',' && (next() == '"' || at >= text.size()));
  if (!plausible) return Answer::no;
  if (last_event.is_behind(at)) return Answer::no;
  constexpr std::size_t kEnough = std::size_t{4} * 1024 * 1024; // without any event
  return last || text.size() - at > kEnough ? Answer::yes : Answer::undecided;
}

/// Where to go on after a broken event at `at`: the next line that starts with '{', or the next
/// event on the same line; `end` where there is none before it.
std::size_t resync(std::string_view text, std::size_t at, std::size_t end) {
  const std::string_view within = text.substr(0, end);
  std::size_t next = 0; // behind the space that follows a mark: each byte is passed once
  for (std::size_t mark = within.find_first_of("\n,", at + 1); mark != within.npos;
       mark = within.find_first_of("\n,", next)) {
    next = skip_space(within, mark + 1);
    if (next >= end) return end;
    if (within[next] != '{') continue;
    const bool new_line = within.substr(mark, next - mark).find('\n') != within.npos;
    if (new_line || is_boundary(within, mark)) return next;
  }
  return end;
}

} // namespace

/// Invalid UTF-8 anywhere stops all of it, so it is repaired at once. `text` is the block's from
/// some place on, with the bracket behind it.
bool BlockParser::find_tokens(TraceBlock& block, std::string_view text) {
  TokenIndex::Found found = tokens_.find(text);
  if (found == TokenIndex::Found::not_utf8) {
    const auto before = static_cast<std::size_t>(text.data() - block.bytes());
    block.repaired = repair_utf8({block.bytes(), before + text.size() - 1});
    found = tokens_.find(text);
  }
  return found == TokenIndex::Found::good;
}

/// Of one event, in a copy of it that has padding.
TokenIndex::Found BlockParser::find_tokens_alone(std::string_view event) {
  scratch_.assign(event);
  scratch_.resize(event.size() + BlockReader::kPadding);
  return tokens_.find({scratch_.data(), event.size()});
}

/// Takes the event at `event`, whose like has not been met, by its own tokens; where it ends. Null
/// where it is not plainly a whole one.
const char* BlockParser::parse_new(const char* event, const char* end, std::uint64_t offset,
                                   EventChunk& chunk) {
  EventWalk walk;
  if (walk.go_on({event, end}) != EventWalk::Seen::end_of_event) return nullptr;
  if (find_tokens_alone({event, walk.length()}) != TokenIndex::Found::good) return nullptr;
  TokenCursor cursor = tokens_.cursor();
  if (!chunk.parse(cursor) || cursor.at != cursor.end) return nullptr;
  chunk.remember(tokens_.cursor());
  chunk.take(offset);
  return event + walk.length();
}

/// Takes events from `begin` on as long as most are written alike, which is faster than to find
/// tokens; behind the last one. `offset` is the place of `begin` in the file.
const char* BlockParser::parse_alike(const char* begin, const char* end, std::uint64_t offset,
                                     EventChunk& chunk) {
  constexpr std::ptrdiff_t kMaxNew = 8;
  constexpr std::ptrdiff_t kAlikeForNew = 16; // so many alike pay for one that is new
  const char* next = begin;
  std::ptrdiff_t budget = kMaxNew * kAlikeForNew;
  while (budget > 0) {
    const char* event = next;
    const auto pass_space = [&] {
      while (is_json_space(*event))
        ++event;
    };
    pass_space();
    if (next != begin) {
      if (event >= end || *event++ != ',') break;
      pass_space();
    }
    if (event >= end || *event != '{') break;
    const std::uint64_t at = offset + static_cast<std::uint64_t>(event - begin);
    const char* behind = chunk.take_alike(event, end, at);
    const bool alike = behind != nullptr;
    if (!alike) behind = parse_new(event, end, at, chunk);
    if (behind == nullptr) break;
    budget += alike ? 1 : -kAlikeForNew;
    next = behind;
  }
  return next;
}

BlockParser::Outcome BlockParser::parse(TraceBlock& block, EventChunk& chunk) {
  const std::string_view array = block.as_array();
  const char* const begin = array.data() + 1;
  const char* const end = array.data() + array.size() - 1;
  const char* next = begin; // behind the last event that was taken
  if (chunk.knows_the_like()) next = parse_alike(begin, end, block.offset(), chunk);
  bool good = find_tokens(block, {next, end + 1});
  if (good) {
    TokenCursor cursor = tokens_.cursor();
    const auto goes_on = [&] {
      return cursor.peek() == ']' || (cursor.pass(',') && cursor.peek() == '{');
    };
    good = next == begin || goes_on();
    while (good && cursor.peek() != ']') {
      const char* const start = cursor.here();
      good = chunk.parse(cursor) && cursor.at < cursor.end;
      if (!good) break;
      chunk.take(block.offset() + static_cast<std::uint64_t>(start - begin));
      next = cursor.here();
      good = goes_on();
    }
    if (good) next = cursor.here();
  }
  block.restore();
  const auto at = static_cast<std::size_t>(next - begin);
  if (!good) return {End::failed, at};
  if (next == end) return {End::whole, block.text().size()};
  LastEvent last_event{block.text()};
  const bool over = ends_events(list_end_, block.text(), last_event, at, block.last) == Answer::yes;
  return {over ? End::events_end : End::failed, at};
}

bool BlockParser::parse_one(std::string_view text, std::uint64_t offset, EventChunk& chunk) {
  TokenIndex::Found found = find_tokens_alone(text);
  Repaired utf8;
  Repaired controls;
  if (found == TokenIndex::Found::not_utf8 || found == TokenIndex::Found::control_character) {
    utf8 = repair_utf8({scratch_.data(), text.size()});
    controls = repair_controls({scratch_.data(), text.size()});
    found = tokens_.find({scratch_.data(), text.size()});
  }
  if (found != TokenIndex::Found::good) return false;
  TokenCursor cursor = tokens_.cursor();
  if (!chunk.parse(cursor) || cursor.at != cursor.end) return false;
  if (utf8.count > 0) chunk.repair(kRepairedUtf8, offset + utf8.first, utf8.count);
  if (controls.count > 0) chunk.repair(kRepairedControls, offset + controls.first, controls.count);
  chunk.take(offset);
  return true;
}

EventWalker::Outcome EventWalker::walk(std::string_view text, std::uint64_t offset,
                                       std::size_t from, std::size_t until, bool last,
                                       EventChunk& chunk) {
  std::size_t at = from;
  LastEvent last_event{text};
  for (;;) {
    bool stray = false; // text that is no event, such as a line of a log
    for (; at < text.size() && text[at] != '{'; ++at) {
      if (text[at] == ']') {
        const Answer ended = ends_events(list_end_, text, last_event, at, last);
        if (ended == Answer::yes) return {Stop::events_end, at};
        if (ended == Answer::undecided) return {Stop::unfinished, at};
      }
      if (is_json_space(text[at]) || text[at] == ',' || stray) continue;
      chunk.skip("text between events", offset + at);
      stray = true;
    }
    if (at >= std::min(text.size(), until)) return {Stop::reached, std::min(at, text.size())};

    EventWalk walk;
    const std::size_t longest = budget_.longest_event();
    const std::string_view event = text.substr(at, longest);
    const EventWalk::Seen seen = walk.go_on(event);
    if (seen == EventWalk::Seen::end_of_event) {
      const std::string_view whole = event.substr(0, walk.length());
      if (parser_.parse_one(whole, offset + at, chunk)) {
        at += walk.length();
        continue;
      }
      chunk.take_broken(offset + at);
      budget_.waste(walk.length());
      at = budget_.is_spent() ? at + walk.length() : resync(text, at, at + walk.length());
      continue;
    }
    const bool at_end = seen == EventWalk::Seen::end_of_text && at + event.size() == text.size();
    if (at_end && !last && event.size() < longest) return {Stop::unfinished, at};
    const std::size_t next = resync(text, at, text.size());
    // The rest of the file is one unfinished event, unless a missing bracket hid others in it.
    if (at_end && last && next == text.size()) return {Stop::unfinished, at};
    budget_.waste(walk.length());
    chunk.take_broken(offset + at);
    // A walk that broke off did so at what may be the start of the next event.
    const std::size_t walked = seen == EventWalk::Seen::broken ? walk.length() - 1 : walk.length();
    at = budget_.is_spent() && !at_end ? at + walked : next;
  }
}

} // namespace debrief::ingest::chrome_trace
