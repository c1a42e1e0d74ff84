#include "ingest/kineto/block_parser.h"

#include "ingest/event_walk.h"
#include "ingest/kineto/repair.h"

namespace debrief::ingest::kineto {

namespace {

constexpr const char* kRepairedControls = "control characters in a text replaced by spaces";

} // namespace

Answer ends_events(std::string_view text, std::size_t at, bool last) {
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
  if (text.find("\"ph\"", at) != text.npos) return Answer::no;
  constexpr std::size_t kEnough = std::size_t{4} * 1024 * 1024; // without any event
  return last || text.size() - at > kEnough ? Answer::yes : Answer::undecided;
}

/// Invalid UTF-8 anywhere stops all of it, so it is repaired at once.
bool BlockParser::find_tokens(Block& block, std::string_view array) {
  TokenIndex::Found found = tokens_.find(array);
  if (found == TokenIndex::Found::not_utf8) {
    block.repaired = repair_utf8({block.bytes(), array.size() - 2});
    found = tokens_.find(array);
  }
  return found == TokenIndex::Found::good;
}

BlockParser::Outcome BlockParser::parse(Block& block, Part& part) {
  const std::string_view array = block.as_array();
  const char* const begin = array.data() + 1;
  const char* const end = array.data() + array.size() - 1;
  const char* next = begin; // behind the last event that was taken
  bool good = find_tokens(block, array);
  if (good) {
    TokenCursor cursor = tokens_.cursor();
    good = cursor.pass('[');
    while (good && cursor.peek() != ']') {
      const char* const start = cursor.here();
      good = events_.parse(cursor, event_) && cursor.at < cursor.end;
      if (!good) break;
      part.take(event_, block.offset() + static_cast<std::uint64_t>(start - begin));
      next = cursor.here();
      good = cursor.peek() == ']' || (cursor.pass(',') && cursor.peek() == '{');
    }
    if (good) next = cursor.here();
  }
  block.restore();
  const auto at = static_cast<std::size_t>(next - begin);
  if (!good) return {End::failed, at};
  if (next == end) return {End::whole, block.text().size()};
  const bool over = ends_events(block.text(), at, block.last) == Answer::yes;
  return {over ? End::events_end : End::failed, at};
}

bool BlockParser::parse_one(std::string_view text, std::uint64_t offset, Part& part) {
  scratch_.assign(text);
  scratch_.resize(text.size() + BlockReader::kPadding);
  const std::string_view event{scratch_.data(), text.size()};
  TokenIndex::Found found = tokens_.find(event);
  Repaired utf8;
  Repaired controls;
  if (found == TokenIndex::Found::not_utf8 || found == TokenIndex::Found::control_character) {
    utf8 = repair_utf8({scratch_.data(), text.size()});
    controls = repair_controls({scratch_.data(), text.size()});
    found = tokens_.find(event);
  }
  if (found != TokenIndex::Found::good) return false;
  TokenCursor cursor = tokens_.cursor();
  if (!events_.parse(cursor, event_) || cursor.at != cursor.end) return false;
  if (utf8.count > 0) part.repair(kRepairedUtf8, offset + utf8.first, utf8.count);
  if (controls.count > 0) part.repair(kRepairedControls, offset + controls.first, controls.count);
  part.take(event_, offset);
  return true;
}

} // namespace debrief::ingest::kineto
