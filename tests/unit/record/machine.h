// A made-up machine: files like those of /proc and /sys, and sources that read them.
#pragma once

#include "record/source.h"
#include "support.h"

#include <nlohmann/json.hpp>

#include <map>
#include <sstream>
#include <string>

namespace debrief::test {

/// "cpu/cpu0/CPUUtilization" -> value, of one sample.
using Sample = std::map<std::string, double>;

class Machine {
public:
  Machine() { roots_ = {folder_.path("proc"), folder_.path("sys")}; }

  const record::Roots& roots() const { return roots_; }

  record::MetricLines& lines() { return lines_; }

  /// In place, as the system's own files change: an open one sees it.
  void file(const std::string& relative, const std::string& text) const {
    const std::filesystem::path path{folder_.path(relative)};
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path, std::ios::binary | std::ios::trunc} << text;
  }

  void directory(const std::string& relative) const {
    std::filesystem::create_directories(folder_.path(relative));
  }

  Sample sample(record::Source& source, std::optional<double> seconds = std::nullopt) {
    lines_.begin(1'794'703'200'000'001);
    source.sample(seconds, scratch_, lines_);
    Sample values;
    std::istringstream text{std::string{lines_.bytes()}};
    for (std::string line; std::getline(text, line);) {
      const auto json = nlohmann::json::parse(line);
      values[json["Type"].get<std::string>() + "/" + json["Name"].get<std::string>() + "/" +
             json["Dimension"].get<std::string>()] = json["Value"].get<double>();
    }
    return values;
  }

private:
  Folder folder_;
  record::Roots roots_;
  record::Scratch scratch_ = record::Scratch(record::kScratchBytes);
  record::MetricLines lines_{"node-1"};
};

} // namespace debrief::test
