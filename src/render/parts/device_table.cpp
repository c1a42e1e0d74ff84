#include "render/parts/device_table.h"

#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace debrief::render {

namespace {

using FiguresByDevice =
    std::map<std::pair<std::string, std::string>, std::map<std::string, double>>;

/// What a rule's figure is called on the page; unknown ones as they are, with spaces.
std::string figure_words(std::string name) {
  static const std::map<std::string, std::string, std::less<>> words = {
      {"windows_low", "Low windows"},
      {"windows_fluctuating", "Fluctuating windows"},
      {"increases", "Increases"},
      {"gpu_95", "p95 of last window"},
      {"gpu_5", "p5 of last window"},
      {"increase", "Last increase (points)"},
      {"largest_increase", "Largest increase"},
  };
  if (const auto known = words.find(name); known != words.end()) return known->second;
  std::replace(name.begin(), name.end(), '_', ' ');
  return printable(name);
}

/// Names of the rule's figures that the device's box does not already give.
std::set<std::string> figure_names(const result::RuleRow* rule) {
  static const std::set<std::string, std::less<>> of_the_box = {
      "min", "max", "mean", "p05", "p25", "p50", "p75", "p95", "lower", "upper", "gpu_max"};
  std::set<std::string> names;
  if (rule == nullptr || rule->status == result::RuleStatus::not_evaluated) return names;
  for (const result::DeviceFigures& device : rule->devices)
    for (const auto& [name, value] : device.figures)
      if (!of_the_box.contains(name)) names.insert(name);
  return names;
}

FiguresByDevice figures_by_device(const result::RuleRow* rule) {
  FiguresByDevice out;
  if (rule != nullptr)
    for (const result::DeviceFigures& device : rule->devices)
      out[{device.node, device.device}] = device.figures;
  return out;
}

/// Counts are whole; percentages have two decimals, though one of them may be whole.
bool is_count(const result::RuleRow& rule, const std::string& name) {
  return std::all_of(rule.devices.begin(), rule.devices.end(), [&](const auto& device) {
    const auto found = device.figures.find(name);
    return found == device.figures.end() || std::trunc(found->second) == found->second;
  });
}

} // namespace

Table device_table(std::string caption, const Devices& devices,
                   const std::vector<BoxFigure>& figures, const result::RuleRow* rule) {
  const std::set<std::string> names = figure_names(rule);
  const FiguresByDevice of_rule = figures_by_device(rule);
  std::vector<Column> columns = {{"Node", Kind::head}, {"Device"}};
  const bool several_metrics =
      std::any_of(devices.begin(), devices.end(), [&](const result::DeviceRow* device) {
        return device->metric != devices.front()->metric;
      });
  if (several_metrics) columns.push_back({"Metric"});
  for (const BoxFigure& figure : figures)
    columns.push_back({figure.name, Kind::number});
  for (const std::string& name : names)
    columns.push_back({figure_words(name), Kind::number});
  columns.push_back({"Samples", Kind::number});
  columns.push_back({std::string{kSpreadHead}, Kind::bar});
  Table table(std::move(caption), std::move(columns));
  for (const result::DeviceRow* device : devices) {
    std::vector<Cell> cells = {printable(device->node), printable(device->device)};
    if (several_metrics) cells.emplace_back(to_text(device->metric));
    for (const BoxFigure& figure : figures)
      cells.emplace_back(two_decimals(device->*figure.figure));
    const auto found = of_rule.find({device->node, device->device});
    for (const std::string& name : names) {
      if (found == of_rule.end() || !found->second.contains(name))
        cells.emplace_back(kUnknown);
      else if (const double value = found->second.at(name); is_count(*rule, name))
        cells.push_back(count_cell(std::llround(value)));
      else
        cells.emplace_back(two_decimals(value));
    }
    cells.push_back(count_cell(device->samples));
    cells.push_back(device->p50 && device->p95 ? spread_bar(*device->p50, *device->p95) : Cell(""));
    table.add(std::move(cells));
  }
  table.drop_unknown();
  return table;
}

} // namespace debrief::render
