#include "rules/activity_details.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;

/// A name and its time in microseconds.
struct Item {
  std::string name;
  double time = 0;
};

/// SageMaker leaves out operators and collectives of at most this many percent.
constexpr double kMinPercent = 2;

double sum_of(const std::vector<Item>& items) {
  double sum = 0;
  for (const Item& item : items)
    sum += item.time;
  return sum;
}

std::vector<Item> large_ones(const std::vector<Item>& items) {
  const double sum = sum_of(items);
  std::vector<Item> kept;
  for (const Item& item : items)
    if (100 * item.time > kMinPercent * sum) kept.push_back(item);
  return kept;
}

/// {name: percent}, of the items' own sum.
ordered_json percents(const std::vector<Item>& items) {
  const double sum = sum_of(items);
  ordered_json out = ordered_json::object();
  for (const Item& item : items)
    out[item.name] = sum > 0 ? 100 * item.time / sum : 0.0;
  return out;
}

ordered_json times(const std::vector<Item>& items) {
  ordered_json out = ordered_json::object();
  for (const Item& item : items)
    out[item.name] = static_cast<std::int64_t>(std::llround(item.time));
  return out;
}

void add_operators(ordered_json& details, const std::string& key, const std::vector<Item>& all) {
  const std::vector<Item> kept = large_ones(all);
  if (kept.empty()) return;
  details[key] = percents(kept);
  details[key + "_total"] = times(kept);
}

std::vector<Item> items_of(const result::Activity& activity, std::string_view group) {
  std::vector<Item> items;
  for (const result::ActivityRow& row : activity.rows)
    if (row.group == group && row.inside_seconds > 0)
      items.push_back({row.name, row.inside_seconds * 1e6});
  return items;
}

std::vector<Item> items_of(const std::vector<result::ShareRow>& rows) {
  std::vector<Item> items;
  for (const result::ShareRow& row : rows)
    items.push_back({row.name, row.seconds.value_or(0) * 1e6});
  return items;
}

std::vector<Item> items_of(const result::OperatorTable& table) {
  std::vector<Item> items;
  for (const result::OperatorRow& row : table.rows)
    items.push_back({row.name, static_cast<double>(row.total_us)});
  return items;
}

/// The phases of all processes together: each process's time counts alike.
std::vector<Item> phases_of_all(const std::vector<result::ShareRow>& rows) {
  std::vector<Item> items;
  for (const Item& row : items_of(rows)) {
    auto known = std::find_if(items.begin(), items.end(),
                              [&](const Item& item) { return item.name == row.name; });
    if (known == items.end()) known = items.insert(items.end(), {row.name, 0});
    known->time += row.time;
  }
  return items;
}

} // namespace

void add_activity(ordered_json& details, const result::Activity& activity) {
  const auto cpu = items_of(activity, "cpu_operator");
  const auto gpu = items_of(activity, "gpu_operator");
  std::vector<Item> ratio;
  if (!cpu.empty())
    ratio.push_back({"cpu_functions", activity.group_seconds.at("cpu_operator") * 1e6});
  if (!gpu.empty())
    ratio.push_back({"gpu_functions", activity.group_seconds.at("gpu_operator") * 1e6});
  details["ratio"] = percents(ratio);
  add_operators(details, "CPU", cpu);
  add_operators(details, "GPU", gpu);
  std::vector<Item> phases = items_of(activity, "phase");
  std::erase_if(phases, [](const Item& item) { return item.name == "others"; });
  details["phase"] = percents(phases);
  details["phase_time"] = ordered_json::object();
  if (const auto general = items_of(activity, "general"); !general.empty())
    details["general"] = percents(general);
  if (const auto collectives = large_ones(items_of(activity, "collective")); !collectives.empty())
    details["horovod"] = percents(collectives);
}

void add_framework(ordered_json& details, const result::Framework& framework) {
  details["ratio"] = percents(items_of(framework.ratio));
  details["phase"] = percents(phases_of_all(framework.phase));
  details["phase_time"] = ordered_json::object();
  add_operators(details, "CPU", items_of(framework.cpu_operators));
  add_operators(details, "GPU", items_of(framework.gpu_operators));
  if (!framework.general.empty()) details["general"] = percents(items_of(framework.general));
  if (!framework.forward_backward.empty())
    details["forward_backward"] = percents(items_of(framework.forward_backward));
  if (const auto kept = large_ones(items_of(framework.collectives)); !kept.empty())
    details["horovod"] = percents(kept);
}

} // namespace debrief::rules
