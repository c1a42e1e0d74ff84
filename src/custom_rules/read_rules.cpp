#include "custom_rules/read_rules.h"

#include "util/duration_text.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

namespace debrief::custom_rules {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxName = 64;
constexpr std::chrono::milliseconds kLeastLimit{100};
constexpr std::chrono::milliseconds kMostLimit{std::chrono::hours{1}};

const std::array<std::string, 7>& keys() {
  static const std::array<std::string, 7> all = {
      "name", "when", "program", "timeout", "description", "recommendation", "severity"};
  return all;
}

std::string text_at(const json& rule, const char* key, const std::string& where) {
  const auto found = rule.find(key);
  if (found == rule.end()) return "";
  if (!found->is_string()) throw Error(fmt::format("{}.{}: is not a text", where, key));
  return found->get<std::string>();
}

std::string lower(std::string text) {
  for (char& c : text)
    c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// Names are file names and what `--fail-on` takes, so none may stand for something else.
bool is_taken(const std::string& name) {
  const std::string word = lower(name);
  const auto all = rules::all_rules();
  return word.starts_with("severity") ||
         std::any_of(
             all.begin(), all.end(),
             [&](const rules::Rule& rule) { return lower(rule.declaration.name) == word; }) ||
         std::any_of(result::kFindingKinds.begin(), result::kFindingKinds.end(),
                     [&](result::FindingKind kind) { return word == to_text(kind); });
}

std::string checked_name(const std::string& name, const std::string& where) {
  const bool plain = std::all_of(name.begin(), name.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_';
  });
  if (name.empty()) throw Error(fmt::format("{}: has no name; add \"name\"", where));
  if (!plain || name.size() > kMaxName || name.front() == '-')
    throw Error(fmt::format("{}.name: '{}' is not a name; use letters, digits, - and _, at most {}",
                            where, printable(name), kMaxName));
  if (is_taken(name))
    throw Error(fmt::format("{}.name: '{}' is what debrief calls something else; choose another "
                            "name",
                            where, printable(name)));
  return name;
}

result::Severity severity_of(const json& rule, const std::string& where) {
  const std::string text = text_at(rule, "severity", where);
  if (text.empty()) return result::Severity::warning;
  const std::array<std::string, 3> known = {"info", "warning", "critical"};
  const auto severity = result::from_text<result::Severity>(text);
  if (!severity)
    throw Error(fmt::format("{}.severity: '{}' is not a severity{}; use info, warning or critical",
                            where, printable(text), did_you_mean(text, known)));
  return *severity;
}

std::chrono::milliseconds limit_of(const json& rule, const std::string& where) {
  const std::string text = text_at(rule, "timeout", where);
  if (text.empty()) return Program{}.limit;
  const auto limit = parse_duration(text);
  if (!limit || *limit < kLeastLimit || *limit > kMostLimit)
    throw Error(fmt::format("{}.timeout: '{}' is not a time from 100ms to 1h; write 30s or 5min",
                            where, printable(text)));
  return *limit;
}

Program program_of(const json& rule, const std::string& where, const std::string& folder) {
  const json& words = rule["program"];
  Program out;
  out.folder = folder;
  out.limit = limit_of(rule, where);
  const bool texts = words.is_array() && std::all_of(words.begin(), words.end(), [](const json& w) {
                       return w.is_string() && w.get<std::string>().find('\0') == std::string::npos;
                     });
  if (texts) out.words = words.get<std::vector<std::string>>();
  if (out.words.empty() || out.words.front().empty())
    throw Error(fmt::format("{}.program: is not a list of a program and its arguments; write it as "
                            "[\"python3\", \"my_rule.py\"]",
                            where));
  return out;
}

CustomRule read_rule(const json& rule, const std::string& where, const std::string& folder) {
  if (!rule.is_object()) throw Error(fmt::format("{}: is not an object", where));
  for (const auto& [key, value] : rule.items())
    if (std::find(keys().begin(), keys().end(), key) == keys().end())
      throw Error(fmt::format("{}: there is no setting '{}'{}; a custom rule may have {}", where,
                              printable(key), did_you_mean(key, keys()), fmt::join(keys(), ", ")));
  if (rule.contains("when") == rule.contains("program"))
    throw Error(fmt::format("{}: {}; write either 'when', a condition, or 'program'", where,
                            rule.contains("when") ? "has both a condition and a program"
                                                  : "has neither a condition nor a program"));
  if (rule.contains("when") && rule.contains("timeout"))
    throw Error(fmt::format("{}.timeout: a condition takes none; it is for programs", where));
  CustomRule out;
  out.name = checked_name(text_at(rule, "name", where), where);
  out.description = printable(text_at(rule, "description", where));
  out.recommendation = printable(text_at(rule, "recommendation", where));
  out.severity = severity_of(rule, where);
  if (rule.contains("program")) {
    out.how = program_of(rule, where, folder);
  } else {
    const std::string text = text_at(rule, "when", where);
    out.how = parse_condition(text, fmt::format("{}.when '{}'", where, printable(text)));
  }
  if (out.description.empty())
    out.description = out.program() != nullptr
                          ? "What the program says."
                          : fmt::format("Looks for {}.", settings_of(out).front().second);
  return out;
}

} // namespace

std::vector<CustomRule> read_custom_rules(const json& list, const std::string& where,
                                          const std::string& folder) {
  if (!list.is_array()) throw Error(fmt::format("{}: is not a list", where));
  if (list.size() > kMaxCustomRules)
    throw Error(
        fmt::format("{}: has {} rules; write at most {}", where, list.size(), kMaxCustomRules));
  std::vector<CustomRule> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", where, i);
    CustomRule rule = read_rule(list[i], place, folder);
    const bool twice = std::any_of(out.begin(), out.end(), [&](const CustomRule& other) {
      return lower(other.name) == lower(rule.name);
    });
    if (twice)
      throw Error(fmt::format("{}.name: '{}' is the name of another rule; give each its own", place,
                              rule.name));
    out.push_back(std::move(rule));
  }
  return out;
}

} // namespace debrief::custom_rules
