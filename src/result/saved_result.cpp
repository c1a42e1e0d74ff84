#include "result/saved_result.h"

#include "result/json.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace debrief::result {

namespace {

using nlohmann::json;

/// A result of a large job has a few MB; what is greater is a trace.
constexpr std::uintmax_t kMaxBytes = 512'000'000;

/// Keys are sorted, so this is how every result begins, whole or cut off; before there were curves,
/// with the second.
bool begins_like_result(std::string_view text) {
  const auto is_space = [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  std::string head;
  std::copy_if(text.begin(), text.begin() + std::min<std::ptrdiff_t>(64, std::ssize(text)),
               std::back_inserter(head), [&](char c) { return !is_space(c); });
  return head.starts_with("{\"curves\":") || head.starts_with("{\"data_loading\":");
}

/// Nothing of the file's kind is known before it is parsed, and a trace of hundreds of MB is not
/// worth that: so a text that has to be in it is looked for first.
bool may_be_document(std::string_view text) {
  return begins_like_result(text) ||
         (text.find("\"schema\"") != text.npos && text.find("\"debrief.") != text.npos);
}

Error broken(const std::string& path, std::string_view how) {
  const std::string sentence =
      fmt::format("{}: is a result that {}; write it again with 'debrief report JOB "
                  "--json'",
                  printable(path), how);
  return Error{sentence};
}

/// A figure that is not a number would be no figure, and what is compared less than was meant.
void refuse_broken(const json& document, const std::string& path) {
  static const json none;
  const auto at = [](const json& object, const char* key) -> const json& {
    return object.is_object() && object.contains(key) ? object.at(key) : none;
  };
  for (const char* key : {"job", "framework", "verdict", "data_quality", "time_accounting"})
    if (!at(document, key).is_object())
      throw broken(path, fmt::format("has no '{}' as debrief writes it", key));
  for (const char* key : {"system_usage", "devices", "steps", "rules", "findings"})
    if (!at(document, key).is_array())
      throw broken(path, fmt::format("has no '{}' as debrief writes it", key));
  for (const char* key : {"system_usage", "steps"})
    for (const json& row : at(document, key))
      for (const char* figure : {"max", "p99", "p95", "p50", "min"})
        if (!at(row, figure).is_number())
          throw broken(path, fmt::format("has a '{}' in '{}' that is not a number", figure, key));
}

std::string read_text(const std::string& path, std::size_t size) {
  std::string text(size, '\0'); // not by a stream, which takes want of memory for a file's end
  std::ifstream file(path, std::ios::binary);
  if (!file.read(text.data(), static_cast<std::streamsize>(size)))
    throw Error(fmt::format("{}: cannot be read", printable(path)));
  return text;
}

} // namespace

std::optional<Result> read_result(const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (!fs::exists(path, error))
    throw Error(fmt::format("{}: there is no such file or folder", printable(path)));
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  const auto size = fs::file_size(path, error);
  if (error || size > kMaxBytes) return std::nullopt;
  const std::string text = read_text(path, size);
  if (!may_be_document(text)) return std::nullopt;
  json document;
  try {
    document = json::parse(text);
  } catch (const json::out_of_range&) {
    throw broken(path, "has a number that is too large to read");
  } catch (const json::parse_error& failure) {
    if (!begins_like_result(text)) return std::nullopt;
    throw broken(path, fmt::format("is cut off or broken at byte {}", failure.byte));
  }
  if (!document.is_object() || !document.contains("schema") || !document.at("schema").is_string())
    return std::nullopt;
  const auto schema = document.at("schema").get<std::string>();
  if (schema == kSchema) {
    refuse_broken(document, path);
    return from_json(document);
  }
  if (schema.starts_with("debrief.result/"))
    throw Error(fmt::format(
        "{}: was written by another version ({}, not {}); make it again with this debrief",
        printable(path), printable(schema), kSchema));
  if (schema.starts_with("debrief."))
    throw Error(fmt::format(
        "{}: is a {} document, not a result; give what 'debrief report JOB --json' writes",
        printable(path), printable(schema)));
  return std::nullopt;
}

} // namespace debrief::result
