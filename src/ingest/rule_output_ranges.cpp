#include "ingest/rule_output_ranges.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace debrief::ingest {

namespace {

using nlohmann::json;

struct Range {
  double least = 0;
  double most = 0;
};

constexpr double kRoundedPercent = 1e-6; // sums of shares miss 100 by this
constexpr Range kPercent{0, 100};
constexpr Range kAmount{0, 1e15}; // bytes per second
constexpr Range kSeconds{0, 1e9}; // thirty years
/// Phases can overlap, and "others" is 100 less all of them.
constexpr Range kPhase{-1e4, 1e4};

/// Whether a value is no number, or one in the range; a percentage that only rounding put above 100
/// is set to it.
bool is_possible(json& value, const Range& range) {
  if (!value.is_number()) return true;
  const auto number = value.get<double>();
  if (number > range.most && number <= range.most + kRoundedPercent) value = range.most;
  return number >= range.least && number <= range.most + kRoundedPercent;
}

/// Drops members of an object by their names and values; the number of them.
template <typename Fits>
std::uint64_t drop_members(json& object, const Fits& fits) {
  std::uint64_t dropped = 0;
  if (!object.is_object()) return dropped;
  for (auto member = object.begin(); member != object.end();) {
    const bool fit = fits(member.key(), member.value());
    member = fit ? std::next(member) : object.erase(member);
    dropped += fit ? 0 : 1;
  }
  return dropped;
}

bool all_possible(json& object, const Range& range) {
  if (!object.is_structured()) return true;
  return std::all_of(object.begin(), object.end(),
                     [&](json& value) { return is_possible(value, range); });
}

/// Whether no percentile is beyond a higher one: of one set of values they cannot be.
bool are_ordered(const json& object) {
  double before = -1; // all are 0 or more
  if (!object.is_object()) return true;
  for (const char* name : {"min", "p50", "p95", "p99", "max"}) {
    const auto found = object.find(name);
    if (found == object.end() || !found->is_number()) continue;
    if (found->get<double>() < before) return false;
    before = found->get<double>();
  }
  return true;
}

/// {metric: {node: {"p50": number, ...}}}; a node's row has all of its numbers or none.
std::uint64_t drop_usage(json& details) {
  std::uint64_t dropped = 0;
  for (auto metric = details.begin(); metric != details.end(); ++metric) {
    const Range range = metric.key() == "Network" ? kAmount : kPercent;
    dropped += drop_members(metric.value(), [&](const std::string&, json& numbers) {
      return all_possible(numbers, range) && are_ordered(numbers);
    });
  }
  return dropped;
}

/// {node: {device: {"p50": percent, ...}}}
std::uint64_t drop_boxes(json& details) {
  std::uint64_t dropped = 0;
  for (json& devices : details)
    if (devices.is_object())
      for (json& box : devices)
        dropped += drop_members(box, [](const std::string& name, json& value) {
          return name == "increase" || is_possible(value, kPercent);
        });
  return dropped;
}

/// {kind: {name: percent}} and {"CPU_total": {name: microseconds}}
std::uint64_t drop_shares(json& details) {
  std::uint64_t dropped = 0;
  for (auto kind = details.begin(); kind != details.end(); ++kind) {
    const bool totals = kind.key().ends_with("_total") || kind.key().ends_with("_time");
    const Range range = kind.key() == "phase" ? kPhase : kPercent;
    dropped += drop_members(kind.value(), [&](const std::string&, json& value) {
      return totals || is_possible(value, range);
    });
  }
  return dropped;
}

/// {"step_details": {process: {"step_stats": {...}, "stddev": seconds, "binedges": [...]}}}
std::uint64_t drop_steps(json& details) {
  const auto steps = details.find("step_details");
  if (steps == details.end()) return 0;
  return drop_members(*steps, [](const std::string&, json& entry) {
    if (!entry.is_object()) return true;
    return std::all_of(
               entry.begin(), entry.end(),
               [](json& value) { return all_possible(value, kSeconds) && are_ordered(value); }) &&
           (!entry.contains("stddev") || is_possible(entry["stddev"], kSeconds));
  });
}

/// {"dataloading_time": {"p50": seconds, "binedges": [...]}, "cores": number}
std::uint64_t drop_loading(json& details) {
  return drop_members(details, [](const std::string& name, json& value) {
    if (name == "cores") return is_possible(value, {1, 1e6});
    if (name != "dataloading_time" || !value.is_object()) return true;
    const auto edges = value.find("binedges");
    return all_possible(value, kSeconds) &&
           (edges == value.end() || all_possible(*edges, kSeconds));
  });
}

} // namespace

std::uint64_t drop_impossible_numbers(const std::string& rule, json& details) {
  if (!details.is_object()) return 0;
  if (rule == "OverallSystemUsage") return drop_usage(details);
  if (rule == "OverallFrameworkMetrics") return drop_shares(details);
  if (rule == "StepOutlier") return drop_steps(details);
  if (rule == "Dataloader") return drop_loading(details);
  const bool boxes =
      rule == "LowGPUUtilization" || rule == "BatchSize" || rule == "GPUMemoryIncrease";
  return boxes ? drop_boxes(details) : 0;
}

} // namespace debrief::ingest
