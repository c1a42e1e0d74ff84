#include "render/sections/load_balance_charts.h"

#include "chart/matrix.h"
#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

using Name = std::pair<std::string, std::string>; ///< node and device

/// GPUs of the pairs, as they come.
std::vector<Name> names_of(const result::LoadBalance& balance) {
  std::vector<Name> out;
  const auto add = [&](const std::string& node, const std::string& device) {
    if (std::find(out.begin(), out.end(), Name{node, device}) == out.end())
      out.emplace_back(node, device);
  };
  for (const result::BalancePair& pair : balance.pairs) {
    add(pair.first_node, pair.first);
    add(pair.second_node, pair.second);
  }
  return out;
}

} // namespace

std::optional<Figure> utilization_figure(const Devices& gpus, const result::LoadBalance& balance) {
  Devices drawn = gpus;
  std::erase_if(drawn, [](const auto* gpu) { return gpu->histogram.empty(); });
  std::string caption = "How often each GPU was how busy";
  if (drawn.size() > chart::kSeries) {
    caption += fmt::format("; of {} GPUs, {} of the pairs that differ most",
                           grouped(static_cast<std::int64_t>(drawn.size())), chart::kSeries);
    std::vector<Name> names = names_of(balance);
    names.resize(std::min(names.size(), chart::kSeries));
    std::erase_if(drawn, [&](const auto* gpu) {
      return std::find(names.begin(), names.end(), Name{gpu->node, gpu->device}) == names.end();
    });
  }
  std::vector<HistogramPart> parts;
  for (const result::DeviceRow* gpu : drawn)
    parts.push_back({device_name(gpu->node, gpu->device), &gpu->histogram, std::nullopt});
  return histogram_figure({std::move(caption), chart::HistogramUnit::percent, "sample"}, parts);
}

std::optional<Figure> distance_figure(const Devices& gpus, const result::LoadBalance& balance,
                                      double greatest) {
  if (static_cast<std::int64_t>(balance.pairs.size()) < balance.pair_count) return std::nullopt;
  std::vector<Name> names = names_of(balance);
  if (names.size() < 3 || names.size() > kMaxInMatrix) return std::nullopt;
  const auto place_of = [&](const Name& name) {
    return std::find_if(gpus.begin(), gpus.end(), [&](const auto* gpu) {
      return Name{gpu->node, gpu->device} == name;
    });
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const Name& a, const Name& b) { return place_of(a) < place_of(b); });
  std::map<Name, std::size_t> places;
  chart::MatrixChart chart;
  chart.greatest = greatest;
  for (const Name& name : names) {
    places.emplace(name, chart.names.size());
    chart.values.emplace_back(chart.names.size());
    chart.names.push_back(device_name(name.first, name.second));
  }
  for (const result::BalancePair& pair : balance.pairs) {
    const std::size_t a = places.at({pair.first_node, pair.first});
    const std::size_t b = places.at({pair.second_node, pair.second});
    if (a != b) chart.values[std::max(a, b)][std::min(a, b)] = pair.distance;
  }
  std::string caption = "How much the GPUs' utilization differs, pair by pair: 0 is alike";
  const result::BalancePair& most = balance.pairs.front();
  const result::BalancePair& least = balance.pairs.back();
  chart.label = fmt::format("{}. From {:.3f} ({}, {}) to {:.3f} ({}, {})", caption, least.distance,
                            brief(device_name(least.first_node, least.first)),
                            brief(device_name(least.second_node, least.second)), most.distance,
                            brief(device_name(most.first_node, most.first)),
                            brief(device_name(most.second_node, most.second)));
  return Figure{std::move(caption), draw(chart), {}};
}

} // namespace debrief::render
