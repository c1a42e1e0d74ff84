#include "ingest/kineto/block_parser.h"

#include "ingest/event_walk.h"
#include "ingest/kineto/mend.h"

namespace debrief::kineto {

namespace {

namespace ondemand = simdjson::ondemand;

constexpr const char* kMendedControls = "control characters in a text replaced by spaces";

} // namespace

bool ends_events(std::string_view text, std::size_t at, bool last) {
  const auto next = [&] {
    do
      ++at;
    while (at < text.size() && is_json_space(text[at]));
    return at < text.size() ? text[at] : '\0';
  };
  const char first = next();
  if (first == '\0' && at >= text.size()) return last;
  if (first == '}') return true;
  return first == ',' && (next() == '"' || (last && at >= text.size()));
}

/// Starts parsing. Invalid UTF-8 anywhere stops it before its first event, so it is mended at once.
simdjson::error_code BlockParser::open(Block& block, std::string_view array) {
  const auto iterate = [&] {
    return parser_.iterate(array.data(), array.size(), array.size() + BlockReader::kPadding)
        .get(document_);
  };
  const simdjson::error_code error = iterate();
  if (error != simdjson::UTF8_ERROR) return error;
  block.mended = mend_utf8({block.bytes(), array.size() - 2});
  return iterate();
}

BlockParser::Outcome BlockParser::parse(Block& block, Part& part) {
  const std::string_view array = block.as_array();
  const char* const begin = array.data() + 1;
  const char* const end = array.data() + array.size() - 1;
  const char* next = begin;
  ondemand::array events;
  bool failed = open(block, array) || document_.get_array().get(events);
  if (!failed) {
    for (auto element : events) {
      ondemand::value value;
      ondemand::object object;
      const char* behind = nullptr;
      failed = std::move(element).get(value) != simdjson::SUCCESS;
      if (failed) break;
      const char* const start = value.raw_json_token().data();
      failed = value.get_object().get(object) || !parse_event(object, event_) ||
               document_.current_location().get(behind);
      if (failed) break;
      part.take(event_, block.offset() + static_cast<std::uint64_t>(start - begin));
      next = behind;
    }
  }
  block.restore();
  while (next != end && is_json_space(*next))
    ++next;
  const auto at = static_cast<std::size_t>(next - begin);
  if (failed) return {End::failed, at};
  if (next == end) return {End::whole, block.text().size()};
  return {ends_events(block.text(), at, block.last) ? End::events_end : End::failed, at};
}

simdjson::error_code BlockParser::parse_scratch(std::size_t size) {
  ondemand::object object;
  if (const auto error = parser_.iterate(scratch_.data(), size, scratch_.size()).get(document_))
    return error;
  if (const auto error = document_.get_object().get(object)) return error;
  return parse_event(object, event_) ? simdjson::SUCCESS : simdjson::TAPE_ERROR;
}

bool BlockParser::parse_one(std::string_view text, std::uint64_t offset, Part& part) {
  scratch_.assign(text);
  scratch_.resize(text.size() + BlockReader::kPadding);
  simdjson::error_code error = parse_scratch(text.size());
  if (error == simdjson::UTF8_ERROR || error == simdjson::UNESCAPED_CHARS) {
    const Mended utf8 = mend_utf8({scratch_.data(), text.size()});
    const Mended controls = mend_controls({scratch_.data(), text.size()});
    error = parse_scratch(text.size());
    if (error) return false;
    if (utf8.count > 0) part.mend(kMendedUtf8, offset + utf8.first, utf8.count);
    if (controls.count > 0) part.mend(kMendedControls, offset + controls.first, controls.count);
  }
  if (error) return false;
  part.take(event_, offset);
  return true;
}

} // namespace debrief::kineto
