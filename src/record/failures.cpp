#include "record/failures.h"

#include "util/pending_file.h"
#include "util/redact.h"
#include "util/short_paths.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <map>
#include <utility>
#include <vector>

namespace debrief::record {

namespace {

using Json = nlohmann::ordered_json;

/// As job/failure.h has them; more is not the shim's.
constexpr std::size_t kLongestMessage = 300; // bytes
constexpr std::size_t kLongestName = 200;    // bytes
constexpr std::size_t kMostFrames = 20;
constexpr std::size_t kMostFailed = 1024;
constexpr std::size_t kLongestFailure = std::size_t{256} * 1024;
constexpr std::size_t kMostTold = std::size_t{8} * 1024 * 1024;

/// What processes and launchers call their numbers, and what the file does.
constexpr std::array<std::pair<const char*, const char*>, 4> kNumbers{
    {{"parent", "Parent"}, {"rank", "Rank"}, {"attempt", "Attempt"}, {"step", "Step"}}};

std::string text_of(const Json& value, std::size_t longest) {
  return value.is_string() ? cut_off(printable(value.get_ref<const std::string&>()), longest) : "";
}

/// At most what any reader of JSON holds.
constexpr std::int64_t kLargest = std::int64_t{1} << 53U;

std::optional<std::int64_t> whole_number(const Json& from, const char* name,
                                         std::int64_t most = kLargest) {
  const auto found = from.find(name);
  if (found == from.end() || !found->is_number_integer()) return std::nullopt;
  const auto number = found->get<std::int64_t>();
  return number >= 0 && number <= most ? std::optional{number} : std::nullopt;
}

/// Without secrets, and without paths that name a person's folders.
std::string message_of(const Json& told, std::string_view folder) {
  if (!told.is_string()) return "";
  const std::string text = without_secrets(told.get_ref<const std::string&>());
  return cut_off(printable(with_short_paths(text, folder)), kLongestMessage);
}

/// Of ["model.py", 41, "forward", 0].
std::optional<Json> frame_of(const Json& told) {
  constexpr std::size_t kParts = 4;
  if (!told.is_array() || told.size() != kParts || !told[0].is_string() ||
      !told[1].is_number_integer() || !told[2].is_string())
    return std::nullopt;
  Json frame{{"File", text_of(told[0], kLongestName)},
             {"Line", std::clamp<std::int64_t>(told[1].get<std::int64_t>(), 0, kLargest)},
             {"Function", text_of(told[2], kLongestName)}};
  if (told[3] == 1) frame["Library"] = true;
  return frame;
}

/// Sets what is not known yet: a process knows best what ended it, its launcher how it ended.
void fill_in(const Json& told, std::string_view folder, Json& failure) {
  const auto set = [&](const char* name, const Json& value) {
    if (!failure.contains(name)) failure[name] = value;
  };
  if (const auto time = whole_number(told, "time"); time && is_plausible(*time))
    set("Time", to_iso8601(*time));
  for (const auto& [from, to] : kNumbers)
    if (const auto number = whole_number(told, from)) set(to, *number);
  constexpr std::int64_t kLargestCode = 255;
  if (const auto code = whole_number(told, "exit", kLargestCode)) set("ExitCode", *code);
  if (const auto signal = whole_number(told, "signal", kLargestCode)) set("Signal", *signal);
  if (!told.contains("type")) return;
  if (std::string type = text_of(told["type"], kLongestName);
      !type.empty() && !failure.contains("Type")) {
    failure["Type"] = std::move(type);
    failure["Message"] = message_of(told.value("message", Json{}), folder);
    failure["Frames"] = Json::array();
    for (const Json& one : told.value("frames", Json::array()))
      if (auto frame = frame_of(one); frame && failure["Frames"].size() < kMostFrames)
        failure["Frames"].push_back(std::move(*frame));
  }
}

Json& failure_of(std::int64_t process, std::vector<Json>& failures,
                 std::map<std::int64_t, std::size_t>& places) {
  const auto [place, added] = places.try_emplace(process, failures.size());
  if (added) failures.push_back({{"Process", process}});
  return failures[place->second];
}

} // namespace

std::string to_failures_json(std::string_view told, std::string_view node, std::string_view folder,
                             const std::optional<CommandEnd>& command) {
  std::vector<Json> failures;
  std::map<std::int64_t, std::size_t> places; // in `failures`, by process
  while (!told.empty()) {
    const std::size_t end = std::min(told.find('\n'), told.size());
    const std::string_view line = told.substr(0, end);
    told.remove_prefix(std::min(end + 1, told.size()));
    if (line.size() > kLongestFailure) continue;
    const Json one = Json::parse(line, nullptr, false);
    if (!one.is_object()) continue;
    const auto process = whole_number(one, "pid");
    if (!process || (failures.size() >= kMostFailed && !places.contains(*process))) continue;
    fill_in(one, folder, failure_of(*process, failures, places));
  }
  if (command) {
    Json& failure = failure_of(command->process, failures, places);
    failure["EndedCommand"] = true;
    failure["ExitCode"] = command->ending.code;
    if (command->ending.signal) failure["Signal"] = *command->ending.signal;
    if (!failure.contains("Rank")) failure["Rank"] = command->rank;
  }
  if (failures.empty()) return "";
  const Json document{{"DebriefFailures", 1}, {"Host", std::string{node}}, {"Failures", failures}};
  return document.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

void copy_failures(const std::filesystem::path& told, const std::filesystem::path& job_folder,
                   std::string_view node, const std::optional<CommandEnd>& command) {
  std::ifstream file{told, std::ios::binary};
  std::string text(file ? kMostTold : 0, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  std::error_code unknown;
  const std::filesystem::path here = std::filesystem::current_path(unknown);
  const std::string json = to_failures_json(text, node, here.string(), command);
  if (json.empty()) return;
  const std::filesystem::path folder = job_folder / "failures";
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  write_file(
      (folder / fmt::format("{}-{}.json", safe_file_name(node, "host"), ::getpid())).string(),
      json);
}

} // namespace debrief::record
