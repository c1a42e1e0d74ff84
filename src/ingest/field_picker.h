// Picks fields of a JSON object that have the type that is expected; anything else is counted and
// left out. A field that is not there, or null, is no trouble.
#pragma once

#include "job/reading_report.h"
#include "util/time.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest {

class FieldPicker {
public:
  /// `document` is what the file is called: "the job's description".
  FieldPicker(std::string_view path, std::string_view document, job::ReadingReport& report)
      : path_(path)
      , document_(document)
      , report_(report) {}

  const nlohmann::json* object(const nlohmann::json& parent, const char* key) {
    return get(parent, key, &nlohmann::json::is_object);
  }

  const nlohmann::json* array(const nlohmann::json& parent, const char* key) {
    return get(parent, key, &nlohmann::json::is_array);
  }

  std::optional<std::string> text(const nlohmann::json& parent, const char* key) {
    const nlohmann::json* value = get(parent, key, &nlohmann::json::is_string);
    return value != nullptr ? std::optional{value->get<std::string>()} : std::nullopt;
  }

  std::optional<double> number(const nlohmann::json& parent, const char* key) {
    const nlohmann::json* value = get(parent, key, &nlohmann::json::is_number);
    return value != nullptr ? std::optional{value->get<double>()} : std::nullopt;
  }

  /// False where it is not there.
  bool truth(const nlohmann::json& parent, const char* key) {
    const nlohmann::json* value = get(parent, key, &nlohmann::json::is_boolean);
    return value != nullptr && value->get<bool>();
  }

  /// A count, a process, a line: whole, not negative, and what a double holds exactly.
  std::optional<std::int64_t> whole_number(const nlohmann::json& parent, const char* key) {
    constexpr std::int64_t kMost = std::int64_t{1} << 53U;
    const nlohmann::json* value = get(parent, key, &nlohmann::json::is_number_integer);
    if (value == nullptr) return std::nullopt;
    const auto number = value->get<std::int64_t>();
    if (number >= 0 && number <= kMost) return number;
    unexpected(key);
    return std::nullopt;
  }

  /// An exit code or a signal.
  std::optional<int> small_number(const nlohmann::json& parent, const char* key) {
    constexpr std::int64_t kMost = 255;
    const auto number = whole_number(parent, key);
    if (!number || *number <= kMost)
      return number ? std::optional{static_cast<int>(*number)} : std::nullopt;
    unexpected(key);
    return std::nullopt;
  }

  /// Unix seconds or ISO-8601.
  std::optional<Microseconds> time(const nlohmann::json& parent, const char* key) {
    const auto found = parent.find(key);
    if (found == parent.end() || found->is_null()) return std::nullopt;
    std::optional<Microseconds> time;
    if (found->is_number()) time = from_seconds(found->get<double>());
    if (found->is_string()) time = parse_time(found->get<std::string>());
    if (time && is_plausible(*time)) return time;
    unexpected(key);
    return std::nullopt;
  }

private:
  const nlohmann::json* get(const nlohmann::json& parent, const char* key,
                            bool (nlohmann::json::*is_type)() const) {
    const auto found = parent.find(key);
    if (found == parent.end() || found->is_null()) return nullptr;
    if (((*found).*is_type)()) return &*found;
    unexpected(key);
    return nullptr;
  }

  void unexpected(const char* key) {
    job::ReadingReport::count(report_.skipped,
                              fmt::format("field of {} has an unexpected value", document_),
                              fmt::format("{}, {}", path_, key));
  }

  std::string_view path_;
  std::string_view document_;
  job::ReadingReport& report_;
};

} // namespace debrief::ingest
