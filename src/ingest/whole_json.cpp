#include "ingest/whole_json.h"

#include <fmt/format.h>

namespace debrief::ingest {

namespace {

constexpr std::size_t kMaxDocumentBytes = std::size_t{64} * 1024 * 1024;
/// Values nest a few levels deep in these files. The parser itself has no limit, so this is one.
constexpr int kDeepest = 64;
/// A parsed value takes up to a hundred bytes, and its text as few as two. The largest rule output
/// of a real job that we know, of 1 MB, has 72,000.
constexpr std::size_t kMostValues = 500'000;
constexpr std::string_view kSpace = " \t\r\n";

} // namespace

/// The parser's own hook costs time that grows with the square of an object's size.
std::string_view trouble_before_parsing(std::string_view text) {
  int depth = 0;
  std::size_t values = 1;
  bool in_text = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_text) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '{' || c == '[') {
      if (++depth > kDeepest) return "nests deeper than 64 levels";
      ++values;
    } else if (c == '}' || c == ']') {
      --depth;
    } else if (c == ',') {
      ++values;
    }
    if (values > kMostValues) return "has more than 500,000 values";
  }
  return {};
}

WholeJson read_whole_json(BlockReader& bytes, std::string* into) {
  using nlohmann::json;
  while (bytes.more())
    if (bytes.view().size() > kMaxDocumentBytes) return {{}, "is larger than 64 MB"};
  const std::string_view text = bytes.view();
  WholeJson whole;
  whole.trouble = trouble_before_parsing(text);
  if (whole.trouble.empty()) {
    whole.object = json::parse(text.begin(), text.end(), nullptr, /*allow_exceptions=*/false);
    if (whole.object.is_discarded())
      whole.trouble = "is not valid JSON";
    else if (!whole.object.is_object())
      whole.trouble = "is not a JSON object";
    else if (into != nullptr)
      *into = text;
  }
  bytes.consume(text.size());
  return whole;
}

bool looks_like_object_with(std::string_view head, std::string_view key) {
  const std::size_t start = head.find_first_not_of(kSpace);
  return start != head.npos && head[start] == '{' &&
         head.find(fmt::format("\"{}\"", key)) != head.npos;
}

} // namespace debrief::ingest
