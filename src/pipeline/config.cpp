#include "pipeline/config.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace debrief {

namespace {

using nlohmann::json;

constexpr std::uintmax_t kLargestConfig = 1 << 20; // bytes; a config is written by hand

std::string read_all(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (!error && size > kLargestConfig)
    throw Error(fmt::format("{}: is larger than 1 MB, so it is no config file", printable(path)));
  std::ifstream file{path, std::ios::binary};
  std::string text(error ? 0 : size, '\0');
  if (error || !file || !file.read(text.data(), static_cast<std::streamsize>(size)))
    throw Error(fmt::format("{}: cannot be read as a config file ({}); give --config a JSON file",
                            printable(path), error ? error.message() : std::strerror(errno)));
  return text;
}

/// Numbers and texts alike: a threshold may be written as 80 or "80".
std::string as_text(const json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  if (value.is_null()) return "None";
  throw Error(fmt::format("{}: is neither a number nor a text", where));
}

const json& as_object(const json& value, const std::string& where) {
  if (!value.is_object()) throw Error(fmt::format("{}: is not an object", where));
  return value;
}

} // namespace

void apply_config(std::string_view text, const std::string& name, RuleSettings& settings) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("{}: is not valid JSON at byte {}", printable(name), error.byte));
  } catch (const json::out_of_range&) {
    throw Error(fmt::format("{}: holds a number that is too large to read", printable(name)));
  }
  const std::string place = printable(name);
  for (const auto& [key, value] : as_object(document, place).items()) {
    if (key == "$schema") continue; // for editors
    if (key != "rules") {
      static const std::array<std::string, 2> keys = {"rules", "$schema"};
      throw Error(fmt::format("{}: there is no setting '{}'{}; it may have 'rules'", place,
                              printable(key), did_you_mean(key, keys)));
    }
    for (const auto& [rule, parameters] : as_object(value, place + ", rules").items()) {
      const std::string of_rule = fmt::format("{}, rules.{}", place, printable(rule));
      for (const auto& [parameter, setting] : as_object(parameters, of_rule).items()) {
        const std::string where = fmt::format("{}.{}", of_rule, printable(parameter));
        settings.set(rule, parameter, as_text(setting, where), where);
      }
      if (parameters.empty() && find_rule(rule) == nullptr)
        settings.set(rule, "", "", of_rule); // a rule that does not exist, with nothing set
    }
  }
}

void read_config(const std::string& path, RuleSettings& settings) {
  apply_config(read_all(path), path, settings);
}

} // namespace debrief
