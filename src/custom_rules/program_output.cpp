#include "custom_rules/program_output.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <span>

namespace debrief::custom_rules {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxText = 600;                         // bytes
constexpr std::int64_t kMostCounted = std::int64_t{1} << 53U; // doubles know all up to it

const std::array<std::string, 7>& output_keys() {
  static const std::array<std::string, 7> all = {
      "triggered", "reason", "description", "recommendation", "severity", "samples", "rows"};
  return all;
}

const std::array<std::string, 9>& row_keys() {
  static const std::array<std::string, 9> all = {"step",   "time", "end",   "name",     "node",
                                                 "device", "what", "value", "threshold"};
  return all;
}

/// A place of the output in a sentence: "rows[3].step"; its own keys have no place before them.
std::string at_key(const std::string& place, const char* key) {
  return place.empty() ? key : fmt::format("{}.{}", place, key);
}

void refuse_unknown_keys(const json& object, std::span<const std::string> known,
                         const std::string& place) {
  for (const auto& [key, value] : object.items())
    if (std::find(known.begin(), known.end(), key) == known.end())
      throw Error(fmt::format("wrote '{}'{}, which means nothing{}",
                              cut_off(printable(key), kMaxText),
                              place.empty() ? "" : " in " + place, did_you_mean(key, known)));
}

/// Null where there is none, or where it is null.
const json* value_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found == object.end() || found->is_null() ? nullptr : &*found;
}

std::optional<std::string> optional_text(const json& object, const char* key,
                                         const std::string& place) {
  const json* value = value_at(object, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_string()) throw Error(fmt::format("wrote no text as {}", at_key(place, key)));
  return cut_off(printable(value->get_ref<const std::string&>()), kMaxText);
}

std::optional<double> optional_number(const json& object, const char* key,
                                      const std::string& place) {
  const json* value = value_at(object, key);
  if (value == nullptr) return std::nullopt;
  if (!value->is_number()) throw Error(fmt::format("wrote no number as {}", at_key(place, key)));
  return value->get<double>();
}

std::optional<std::int64_t> optional_count(const json& object, const char* key,
                                           const std::string& place) {
  const json* value = value_at(object, key);
  if (value == nullptr) return std::nullopt;
  const bool whole = value->is_number_integer() &&
                     !(value->is_number_unsigned() &&
                       value->get<std::uint64_t>() > static_cast<std::uint64_t>(kMostCounted));
  if (!whole || value->get<std::int64_t>() < 0)
    throw Error(fmt::format("wrote no whole number as {}", at_key(place, key)));
  return value->get<std::int64_t>();
}

/// ISO-8601, or unix seconds.
std::optional<Microseconds> optional_time(const json& object, const char* key,
                                          const std::string& place) {
  const json* value = value_at(object, key);
  if (value == nullptr) return std::nullopt;
  std::optional<Microseconds> time;
  if (value->is_string()) time = parse_time(value->get_ref<const std::string&>());
  if (value->is_number()) time = from_seconds(value->get<double>());
  if (!time || !is_plausible(*time))
    throw Error(fmt::format("wrote no time as {} (use 2026-11-14T23:48:10Z or unix seconds)",
                            at_key(place, key)));
  return time;
}

OutputRow read_row(const json& object, const std::string& place) {
  if (!object.is_object()) throw Error(fmt::format("wrote no object as {}", place));
  refuse_unknown_keys(object, row_keys(), place);
  OutputRow row;
  row.step = optional_count(object, "step", place);
  const auto begin = optional_time(object, "time", place);
  const auto end = optional_time(object, "end", place);
  if (row.step.has_value() == begin.has_value())
    throw Error(fmt::format("wrote {} without a step or a time, or with both", place));
  if (end && !begin) throw Error(fmt::format("wrote an end without a time as {}", place));
  if (begin) row.span = TimeSpan{*begin, end.value_or(*begin)};
  if (row.span && row.span->length() < 0)
    throw Error(fmt::format("wrote {} with an end before its time", place));
  row.name = optional_text(object, "name", place).value_or("");
  row.node = optional_text(object, "node", place).value_or("");
  row.device = optional_text(object, "device", place).value_or("");
  row.what = optional_text(object, "what", place).value_or("");
  row.value = optional_number(object, "value", place);
  row.threshold = optional_number(object, "threshold", place);
  return row;
}

json parsed(std::string_view text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("wrote what is not JSON at byte {}", error.byte));
  } catch (const json::out_of_range&) {
    throw Error("wrote a number that is too large");
  }
}

std::optional<result::Severity> optional_severity(const json& document) {
  const auto text = optional_text(document, "severity", "");
  if (!text) return std::nullopt;
  const auto severity = result::from_text<result::Severity>(*text);
  if (!severity)
    throw Error(fmt::format("wrote '{}' as severity; use info, warning or critical", *text));
  return severity;
}

void read_rows(const json& document, std::vector<OutputRow>& rows) {
  const json* list = value_at(document, "rows");
  if (list == nullptr) return;
  if (!list->is_array()) throw Error("wrote no list as rows");
  for (std::size_t i = 0; i < list->size(); ++i)
    rows.push_back(read_row((*list)[i], fmt::format("rows[{}]", i)));
}

} // namespace

ProgramOutput parse_program_output(std::string_view text) {
  if (text.find_first_not_of(" \t\r\n") == text.npos) throw Error("wrote nothing");
  const json document = parsed(text);
  if (!document.is_object()) throw Error("wrote no JSON object");
  refuse_unknown_keys(document, output_keys(), "");
  const auto triggered = document.find("triggered");
  if (triggered == document.end() || !(triggered->is_boolean() || triggered->is_null()))
    throw Error("wrote no \"triggered\" that is true, false or null");
  ProgramOutput out;
  if (triggered->is_boolean()) out.triggered = triggered->get<bool>();
  out.reason = optional_text(document, "reason", "").value_or("");
  out.description = optional_text(document, "description", "");
  out.recommendation = optional_text(document, "recommendation", "");
  out.severity = optional_severity(document);
  out.samples = optional_count(document, "samples", "");
  read_rows(document, out.rows);
  if (!out.triggered.value_or(false) && !out.rows.empty())
    throw Error("wrote rows, but not that it triggered");
  return out;
}

} // namespace debrief::custom_rules
