#include "render/parts/device_chart.h"

#include "chart/box_plot.h"
#include "render/parts/format.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

using result::DeviceRow;

/// By metric, in the order in which they come.
std::vector<std::pair<result::Metric, Devices>> by_metric(const Devices& devices) {
  std::vector<std::pair<result::Metric, Devices>> out;
  for (const DeviceRow* device : devices) {
    const auto found = std::find_if(
        out.begin(), out.end(), [&](const auto& group) { return group.first == device->metric; });
    if (found == out.end())
      out.push_back({device->metric, {device}});
    else
      found->second.push_back(device);
  }
  return out;
}

/// `count` of the devices, half from either end of their medians, in their own order.
Devices extremes_of(const Devices& devices, std::size_t count) {
  Devices sorted = devices;
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto* a, const auto* b) { return a->p50 < b->p50; });
  std::set<const DeviceRow*> chosen(sorted.begin(),
                                    sorted.begin() + static_cast<std::ptrdiff_t>(count / 2));
  chosen.insert(sorted.end() - static_cast<std::ptrdiff_t>(count - count / 2), sorted.end());
  Devices out;
  std::copy_if(devices.begin(), devices.end(), std::back_inserter(out),
               [&](const auto* device) { return chosen.contains(device); });
  return out;
}

chart::BoxRow row_of(const DeviceRow& device) {
  return {device_name(device.node, device.device),
          device.lower,
          device.p25,
          device.p50,
          device.p75,
          device.upper,
          device.mean};
}

/// "GPU 30.0 % (gpu0 of algo-2) to 90.0 % (gpu0 of algo-1)".
std::string range_words(result::Metric metric, const Devices& devices) {
  const auto [least, most] = extremes(devices, &DeviceRow::p50);
  if (least == nullptr) return std::string{to_text(metric)} + " not known";
  std::string out = fmt::format("{} {} ({})", to_text(metric), exact_percent_text(*least->p50),
                                truncate(device_name(least->node, least->device)));
  if (least != most)
    out += fmt::format(" to {} ({})", exact_percent_text(*most->p50),
                       truncate(device_name(most->node, most->device)));
  return out;
}

} // namespace

std::optional<Chart> device_chart(std::string caption, const Devices& devices,
                                  std::string_view noun) {
  if (extremes(devices, &DeviceRow::p50).least == nullptr) return std::nullopt;
  auto groups = by_metric(devices);
  const std::size_t most = std::max<std::size_t>(kMaxBoxes / groups.size(), 2);
  std::size_t drawn = 0;
  std::vector<std::string> ranges;
  chart::BoxChart chart;
  for (auto& [metric, rows] : groups) {
    ranges.push_back(range_words(metric, rows));
    if (rows.size() > most) rows = extremes_of(rows, most);
    drawn += rows.size();
    chart::BoxGroup group{to_text(metric), chart::series(chart.groups.size()), {}};
    for (const DeviceRow* row : rows)
      group.rows.push_back(row_of(*row));
    chart.groups.push_back(std::move(group));
  }
  const bool have_means = extremes(devices, &DeviceRow::mean).least != nullptr;
  caption += fmt::format(": box p25 to p75, line median, {}whiskers 1.5 boxes",
                         have_means ? "dot mean, " : "");
  if (drawn < devices.size())
    caption += fmt::format("; {2} of {0} {1} with the lowest and highest medians",
                           grouped(static_cast<std::int64_t>(devices.size())), noun, drawn);
  chart.label = fmt::format("{}. Medians: {}", caption, fmt::join(ranges, "; "));
  std::vector<LegendEntry> legend;
  if (chart.groups.size() > 1)
    for (std::size_t key = 0; key < chart.groups.size(); ++key)
      legend.push_back({std::to_string(key), chart.groups[key].name, chart.groups[key].color});
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

} // namespace debrief::render
