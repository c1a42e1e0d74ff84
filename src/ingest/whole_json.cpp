#include "ingest/whole_json.h"

#include <fmt/format.h>

namespace debrief {

namespace {

constexpr std::size_t kLargestDocument = std::size_t{64} * 1024 * 1024;
constexpr std::string_view kSpace = " \t\r\n";

} // namespace

nlohmann::json read_whole_json(BlockReader& bytes) {
  using nlohmann::json;
  while (bytes.more())
    if (bytes.view().size() > kLargestDocument) return json(json::value_t::discarded);
  const std::string_view text = bytes.view();
  // Values nest a few levels deep in these files. The parser itself has no limit, so this is one.
  constexpr int kDeepest = 64;
  const auto keep = [](int depth, json::parse_event_t, json&) { return depth <= kDeepest; };
  auto document = json::parse(text.begin(), text.end(), keep, /*allow_exceptions=*/false);
  bytes.consume(text.size());
  return document;
}

bool looks_like_object_with(std::string_view head, std::string_view key) {
  const std::size_t start = head.find_first_not_of(kSpace);
  return start != head.npos && head[start] == '{' &&
         head.find(fmt::format("\"{}\"", key)) != head.npos;
}

} // namespace debrief
