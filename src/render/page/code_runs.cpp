#include "render/page/code_runs.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

using nlohmann::json;

namespace {

/// What a reader would type: "num_workers=14", "--json", ".item()".
bool is_code(std::string_view word) {
  return word.starts_with("--") || word.ends_with("()") || word.ends_with(".json") ||
         (word.find('=') != word.npos && word.find('=') > 0);
}

/// Words of so many characters fit the narrowest line, and are never broken: "--baseline".
constexpr std::size_t kWhole = 32;

/// A command that a sentence quotes, as "'debrief check JOB'" at `at`; empty: there is none.
std::string_view quoted_at(std::string_view sentence, std::size_t at) {
  if (sentence[at] != '\'' || (at > 0 && sentence[at - 1] != ' ')) return {};
  const std::size_t end = sentence.find('\'', at + 1);
  return end == sentence.npos ? std::string_view{} : sentence.substr(at + 1, end - at - 1);
}

} // namespace

json runs_of(std::string_view sentence) {
  std::vector<std::pair<std::string, bool>> runs;
  const auto add = [&](std::string_view text, bool code) {
    if (text.empty()) return;
    const std::size_t count = runs.size();
    if (code && count > 1 && runs[count - 1].first == " " && runs[count - 2].second) {
      runs.pop_back();
      runs.back().first += ' ' + std::string{text};
    } else if (!runs.empty() && !code && !runs.back().second) {
      runs.back().first += text;
    } else {
      runs.emplace_back(text, code);
    }
  };
  std::size_t at = 0;
  while (at < sentence.size()) {
    if (const std::string_view quoted = quoted_at(sentence, at); !quoted.empty()) {
      add(quoted, true);
      at += quoted.size() + 2;
      continue;
    }
    const std::size_t end = std::min(sentence.find(' ', at), sentence.size());
    std::string_view word = sentence.substr(at, end - at);
    std::size_t tail = word.size();
    while (tail > 0 && std::string_view{".,;:'"}.find(word[tail - 1]) != std::string_view::npos)
      --tail;
    const std::string_view core = word.substr(0, tail);
    add(core, is_code(core));
    add(word.substr(tail), false);
    if (end < sentence.size()) add(" ", false);
    at = end + 1;
  }
  json out = json::array();
  for (const auto& [text, code] : runs) {
    json words = json::array();
    for (std::size_t from = 0; code && from < text.size();) {
      const std::size_t end = std::min(text.find(' ', from), text.size());
      words.push_back({{"text", text.substr(from, end - from)}, {"whole", end - from <= kWhole}});
      from = end + 1;
    }
    out.push_back(code ? json{{"code", true}, {"words", std::move(words)}}
                       : json{{"code", false}, {"text", text}});
  }
  return out;
}

} // namespace debrief::render
