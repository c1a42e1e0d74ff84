#include "pipeline/config.h"

#include "custom_rules/read_rules.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <poll.h>
#include <set>
#include <vector>

namespace debrief::pipeline {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxConfigBytes = 1 << 20; // bytes; a config is written by hand

[[noreturn]] void refuse_config(const std::string& path, const char* why) {
  throw Error(fmt::format("{}: cannot be read as a config file ({}); give --config a JSON file",
                          printable(path), why));
}

/// Closed when it goes out of scope.
struct Descriptor {
  int number;

  ~Descriptor() {
    if (number >= 0) ::close(number);
  }
};

/// Numbers and texts alike: a threshold may be written as 80 or "80".
std::string as_text(const json& value, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number()) return value.dump();
  if (value.is_boolean()) return value.get<bool>() ? "True" : "False";
  if (value.is_null()) return "None";
  throw Error(fmt::format("{}: is neither a number nor a text", where));
}

const json& as_object(const json& value, const std::string& where) {
  if (!value.is_object()) throw Error(fmt::format("{}: is not an object", where));
  return value;
}

std::string as_string(const json& value, const std::string& where) {
  if (!value.is_string()) throw Error(fmt::format("{}: is not a text", where));
  return value.get<std::string>();
}

/// What stands among the rules' names and is none.
constexpr const char* kCustom = "custom";

void apply_custom_rules(const json& list, const std::string& where, const std::string& config_path,
                        Config& config) {
  const std::string folder = std::filesystem::path{config_path}.parent_path().string();
  config.custom_rules = custom_rules::read_custom_rules(list, where, folder);
  config.gate.custom_rules = custom_rules::names_of(config.custom_rules);
}

void apply_rules(const json& rules, const std::string& where, const std::string& config_path,
                 Config& config) {
  rules::RuleSettings& settings = config.rules;
  for (const auto& [rule, parameters] : as_object(rules, where).items()) {
    const std::string of_rule = fmt::format("{}.{}", where, printable(rule));
    if (rule == kCustom) {
      apply_custom_rules(parameters, of_rule, config_path, config);
      continue;
    }
    for (const auto& [parameter, setting] : as_object(parameters, of_rule).items()) {
      const std::string of_parameter = fmt::format("{}.{}", of_rule, printable(parameter));
      settings.set(rule, parameter, as_text(setting, of_parameter), of_parameter);
    }
    if (parameters.empty() && rules::find_rule(rule) == nullptr)
      settings.set(rule, "", "", of_rule); // a rule that does not exist, with nothing set
  }
}

double as_price(const json& value, const std::string& where, const char* example) {
  if (!value.is_number() || !is_price(value.get<double>()))
    throw Error(fmt::format("{}: not a price; write USD per {}", where, example));
  return value.get<double>();
}

/// Calls `add` with each text and its place, "debrief.json, require[0] 'gpu.p50 >= 70'".
template <typename Add>
void for_each_text(const json& value, const std::string& where, const Add& add) {
  if (!value.is_array()) throw Error(fmt::format("{}: is not a list", where));
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string of_item = fmt::format("{}[{}]", where, i);
    const std::string text = as_string(value[i], of_item);
    add(text, fmt::format("{} '{}'", of_item, printable(text)));
  }
}

void apply_tolerance(const json& value, const std::string& where, gate::Tolerances& tolerances) {
  for (const auto& [name, amount] : as_object(value, where).items()) {
    const std::string of_figure = fmt::format("{}.{}", where, printable(name));
    if (name == "default")
      tolerances.set_general(as_string(amount, of_figure), of_figure);
    else
      tolerances.set_figure(name, as_string(amount, of_figure), of_figure);
  }
}

void apply_mail(const json& value, const std::string& where, actions::MailServer& mail) {
  for (const auto& [name, text] : as_object(value, where).items()) {
    const std::string of_key = fmt::format("{}.{}", where, printable(name));
    if (name == "server")
      mail.url = as_string(text, of_key);
    else if (name == "from")
      mail.from = as_string(text, of_key);
    else if (name == "user")
      mail.user = as_string(text, of_key);
    else
      throw Error(fmt::format("{}: unknown setting; use server, from or user", of_key));
  }
  actions::check_mail_server(mail.url, where + ".server");
}

/// A path in a config is relative to the config, not to where debrief is run.
std::string beside(const std::string& config, const std::string& path) {
  return (std::filesystem::path{config}.parent_path() / path).string();
}

struct Key {
  const char* name;
  void (*apply)(const json& value, const std::string& where, const std::string& config_path,
                Config& config);
};

/// Applied in this order, whatever the file's is: checks may name custom rules.
constexpr std::array kKeys = {
    Key{"rules", [](const json& value, const std::string& where, const std::string& path,
                    Config& config) { apply_rules(value, where, path, config); }},
    Key{"price",
        [](const json& value, const std::string& where, const std::string&, Config& config) {
          config.price = as_price(value, where, "GPU-hour, such as 2.5");
        }},
    Key{"energy_price",
        [](const json& value, const std::string& where, const std::string&, Config& config) {
          config.energy_price = as_price(value, where, "kWh, such as 0.3");
        }},
    Key{"on",
        [](const json& value, const std::string& where, const std::string&, Config& config) {
          for_each_text(value, where, [&](const std::string& text, const std::string& place) {
            config.actions.triggers.push_back(actions::parse_trigger(text, place));
            config.actions.triggers.back().of_config = true;
          });
        }},
    Key{"smtp", [](const json& value, const std::string& where, const std::string&,
                   Config& config) { apply_mail(value, where, config.actions.mail); }},
    Key{"fail_on",
        [](const json& value, const std::string& where, const std::string&, Config& config) {
          for_each_text(value, where, [&](const std::string& text, const std::string& place) {
            config.gate.add_fail_on(text, place);
          });
        }},
    Key{"require",
        [](const json& value, const std::string& where, const std::string&, Config& config) {
          for_each_text(value, where, [&](const std::string& text, const std::string& place) {
            config.gate.add_require(text, place);
          });
        }},
    Key{"baseline",
        [](const json& value, const std::string& where, const std::string& path, Config& config) {
          const std::string baseline = as_string(value, where);
          if (baseline.empty())
            throw Error(
                fmt::format("{}: is empty; name a result or a job, or leave it out", where));
          config.gate.baseline = beside(path, baseline);
        }},
    Key{"tolerance", [](const json& value, const std::string& where, const std::string&,
                        Config& config) { apply_tolerance(value, where, config.gate.tolerances); }},
    Key{"$schema", [](const json&, const std::string&, const std::string&, Config&) {}}, // editors'
};

/// Stops at a key that stands in an object twice: the second would drop the demand of the first.
/// The parser's own hook could tell it too, in time that grows with the square of a list's length.
class RepeatedKey final : public nlohmann::json_sax<json> {
public:
  bool null() override { return true; }

  bool boolean(bool) override { return true; }

  bool number_integer(json::number_integer_t) override { return true; }

  bool number_unsigned(json::number_unsigned_t) override { return true; }

  bool number_float(json::number_float_t, const std::string&) override { return true; }

  bool string(std::string&) override { return true; }

  bool binary(json::binary_t&) override { return true; }

  bool start_array(std::size_t) override { return true; }

  bool end_array() override { return true; }

  bool start_object(std::size_t) override {
    open_.emplace_back();
    return true;
  }

  bool end_object() override {
    open_.pop_back();
    return true;
  }

  bool key(std::string& name) override {
    if (open_.back().insert(name).second) return true;
    found = name;
    return false;
  }

  /// What is no JSON at all is said by the parser that comes after.
  bool parse_error(std::size_t, const std::string&, const json::exception&) override {
    return false;
  }

  std::optional<std::string> found;

private:
  std::vector<std::set<std::string>> open_; ///< keys of the objects around
};

json parse_without_repeats(std::string_view text, const std::string& name) {
  RepeatedKey keys;
  json::sax_parse(text, &keys);
  if (keys.found)
    throw Error(
        fmt::format("{}: has '{}' twice; keep one", printable(name), printable(*keys.found)));
  return json::parse(text);
}

} // namespace

bool is_price(double price) {
  constexpr double kMax = 1e6;
  return price >= 0 && price <= kMax; // false for what is no number
}

/// A file or a pipe that somebody writes to, as `--config <(...)` gives. One that nobody writes to
/// is empty, not waited for.
std::string read_config_text(const std::string& path) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};

  struct stat info {};

  if (file.number < 0 || ::fstat(file.number, &info) != 0)
    refuse_config(path, std::strerror(errno));
  if (!S_ISREG(info.st_mode) && !S_ISFIFO(info.st_mode))
    refuse_config(path, S_ISDIR(info.st_mode) ? std::strerror(EISDIR) : "it is not a file");
  std::string text;
  std::array<char, 4096> part{};
  for (;;) {
    const ssize_t got = ::read(file.number, part.data(), part.size());
    if (got > 0) text.append(part.data(), static_cast<std::size_t>(got));
    if (text.size() > kMaxConfigBytes)
      throw Error(
          fmt::format("{}: is larger than 1 MB, so it is not a config file", printable(path)));
    if (got == 0) return text;
    if (got > 0 || errno == EINTR) continue;
    if (errno != EAGAIN) refuse_config(path, std::strerror(errno));
    pollfd waiting{file.number, POLLIN, 0};
    ::poll(&waiting, 1, -1);
  }
}

void apply_config(std::string_view text, const std::string& name, Config& config) {
  json document;
  try {
    document = parse_without_repeats(text, name);
  } catch (const json::parse_error& error) {
    throw Error(fmt::format("{}: is not valid JSON at byte {}", printable(name), error.byte));
  } catch (const json::out_of_range&) {
    throw Error(fmt::format("{}: has a number that is too large to read", printable(name)));
  }
  const std::string place = printable(name);
  std::vector<std::string> names;
  for (const Key& key : kKeys)
    names.emplace_back(key.name);
  for (const auto& [name_of_key, value] : as_object(document, place).items())
    if (std::find(names.begin(), names.end(), name_of_key) == names.end())
      throw Error(fmt::format("{}: there is no setting '{}'{}; it may have {}", place,
                              printable(name_of_key), did_you_mean(name_of_key, names),
                              fmt::join(names, ", ")));
  for (const Key& key : kKeys)
    if (const auto found = document.find(key.name); found != document.end())
      key.apply(*found, fmt::format("{}, {}", place, key.name), name, config);
}

} // namespace debrief::pipeline
