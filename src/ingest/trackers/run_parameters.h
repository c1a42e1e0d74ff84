// The hyperparameters that a tracker keeps of a run, as texts.
#pragma once

#include "ingest/trackers/json_number.h"

#include <nlohmann/json.hpp>

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace debrief::ingest::trackers {

class RunParameters {
public:
  /// A value as JSON has it; a text loses its quotes.
  void add_json(std::string_view key, std::string_view json) {
    if (json_number(json) || !json.starts_with('"') || json.size() > kLongest)
      return add(key, json);
    const auto text = nlohmann::json::parse(json, nullptr, false);
    if (text.is_string()) add(key, text.get<std::string>());
  }

  /// The last value of a key stands. What is longer than people read is cut off.
  void add(std::string_view key, std::string_view value) {
    if (key.empty() || key.size() > kLongest) return;
    if (all_.size() == kMost && !all_.contains(std::string{key})) return;
    all_.insert_or_assign(std::string{key}, std::string{value.substr(0, kLongest)});
  }

  std::map<std::string, std::string> take() { return std::move(all_); }

private:
  static constexpr std::size_t kMost = 1000;
  static constexpr std::size_t kLongest = 1000; // bytes
  std::map<std::string, std::string> all_;
};

} // namespace debrief::ingest::trackers
