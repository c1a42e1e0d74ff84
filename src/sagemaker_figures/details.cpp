#include "sagemaker_figures/details.h"

#include <algorithm>
#include <cmath>

namespace debrief::sagemaker_figures {

using nlohmann::json;

namespace {

const json* find(const json& object, const std::string& key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

constexpr double kMaxCount = 9e15; // whole numbers beyond are not exact in JSON's doubles

} // namespace

const job::RuleOutput* find_recorded(const job::Job& job, const std::string& rule) {
  const auto found =
      std::find_if(job.rule_outputs.begin(), job.rule_outputs.end(),
                   [&](const job::RuleOutput& output) { return output.rule == rule; });
  return found == job.rule_outputs.end() ? nullptr : &*found;
}

std::optional<std::int64_t> as_count(const json& value) {
  const bool fits =
      value.is_number_integer() && value.get<double>() >= 0 && value.get<double>() <= kMaxCount;
  return fits ? std::optional{value.get<std::int64_t>()} : std::nullopt;
}

const json* object_in(const json& object, const std::string& key) {
  const json* value = find(object, key);
  return value != nullptr && value->is_object() ? value : nullptr;
}

std::optional<double> number_in(const json& object, const std::string& key) {
  const json* value = find(object, key);
  if (value == nullptr || !value->is_number()) return std::nullopt;
  const auto number = value->get<double>();
  return std::isfinite(number) ? std::optional{number} : std::nullopt;
}

std::optional<std::int64_t> count_in(const json& object, const std::string& key) {
  const auto number = number_in(object, key);
  if (!number || *number < 0 || *number > kMaxCount) return std::nullopt;
  return static_cast<std::int64_t>(*number);
}

std::optional<bool> flag_in(const json& object, const std::string& key) {
  const json* value = find(object, key);
  return value != nullptr && value->is_boolean() ? std::optional{value->get<bool>()} : std::nullopt;
}

std::optional<std::string> text_in(const json& object, const std::string& key) {
  const json* value = find(object, key);
  return value != nullptr && value->is_string() ? std::optional{value->get<std::string>()}
                                                : std::nullopt;
}

result::Histogram histogram_in(const json& object) {
  const json* counts = find(object, "probs");
  const json* edges = find(object, "binedges");
  if (counts == nullptr || edges == nullptr || !counts->is_array() || !edges->is_array() ||
      counts->size() > kMaxBins || edges->size() != counts->size() + 1)
    return {};
  result::Histogram histogram;
  for (const json& edge : *edges) {
    if (!edge.is_number()) return {};
    histogram.edges.push_back(edge.get<double>());
  }
  for (const json& count : *counts) {
    const auto counted = as_count(count);
    if (!counted) return {};
    histogram.counts.push_back(*counted);
  }
  if (!std::is_sorted(histogram.edges.begin(), histogram.edges.end())) return {};
  return histogram;
}

} // namespace debrief::sagemaker_figures
