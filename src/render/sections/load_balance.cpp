// How alike the GPUs worked.
#include "chart/heat.h"
#include "render/parts/devices.h"
#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

/// More GPUs than this have no matrix: their most different pairs are in the table.
constexpr std::size_t kMaxInMatrix = 32;

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

std::optional<Chart> utilization_chart(const Devices& gpus, const result::LoadBalance& balance) {
  Devices drawn = gpus;
  std::erase_if(drawn, [](const auto* gpu) { return gpu->histogram.empty(); });
  std::string caption = "Utilization histogram by GPU";
  if (drawn.size() > chart::kSeries) {
    caption += fmt::format(", {1} of {0} GPUs", grouped(static_cast<std::int64_t>(drawn.size())),
                           chart::kSeries);
    std::vector<Name> names = names_of(balance);
    names.resize(std::min(names.size(), chart::kSeries));
    std::erase_if(drawn, [&](const auto* gpu) {
      return std::find(names.begin(), names.end(), Name{gpu->node, gpu->device}) == names.end();
    });
  }
  std::vector<HistogramPart> parts;
  for (const result::DeviceRow* gpu : drawn)
    parts.push_back({device_name(gpu->node, gpu->device), &gpu->histogram, std::nullopt});
  return histogram_chart({std::move(caption), chart::HistogramUnit::percent, "sample"}, parts);
}

std::optional<Chart> distance_chart(const Devices& gpus, const result::LoadBalance& balance,
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
  std::string caption = "Distance between GPUs (0 is alike)";
  const result::BalancePair& most = balance.pairs.front();
  const result::BalancePair& least = balance.pairs.back();
  chart.label = fmt::format("{}. From {:.3f} ({}, {}) to {:.3f} ({}, {})", caption, least.distance,
                            truncate(device_name(least.first_node, least.first)),
                            truncate(device_name(least.second_node, least.second)), most.distance,
                            truncate(device_name(most.first_node, most.first)),
                            truncate(device_name(most.second_node, most.second)));
  return drawn_chart(std::move(caption), [&] { return draw(chart); }, {});
}

constexpr double kMaxDistance = 0.832554611; // sqrt(ln 2)

std::string take_away(const result::LoadBalance& balance, const result::RuleRow* rule) {
  const result::BalancePair& most = balance.pairs.front();
  std::string out = fmt::format(
      "{1} and {2} differ most of {0}: distance {3:.3f} on a scale from 0 (alike) to 0.833",
      plural(balance.pair_count, "pair"), device_name(most.first_node, most.first),
      device_name(most.second_node, most.second), most.distance);
  const auto threshold = parameter(rule, "threshold");
  if (!threshold) return out + '.';
  const auto above = std::count_if(balance.pairs.begin(), balance.pairs.end(),
                                   [&](const auto& pair) { return pair.distance > *threshold; });
  const bool all_of_a_cut_list =
      above == static_cast<std::ptrdiff_t>(balance.pairs.size()) && above < balance.pair_count;
  return out + fmt::format("; {}{} above the threshold {:g}.", all_of_a_cut_list ? "at least " : "",
                           above == 0   ? "none is"
                           : above == 1 ? "1 is"
                                        : grouped(above) + " are",
                           *threshold);
}

std::optional<Section> make_load_balance(const result::Result& result) {
  const result::RuleRow* rule = find_rule(result, "LoadBalancing");
  const result::LoadBalance& balance = result.load_balance;
  if (balance.pairs.empty()) {
    if (const auto reason = why_no_gpu(result)) return missing(*reason);
    if (devices_of(result, {result::Metric::gpu}).size() == 1)
      return missing("Only one GPU was recorded, so there is nothing to compare.");
    return missing("GPU utilization was not recorded, so the GPUs cannot be compared.");
  }
  Section section;
  section.say(take_away(balance, rule));
  section.say(outcome_sentence(rule));
  if (const auto listed = static_cast<std::int64_t>(balance.pairs.size());
      listed < balance.pair_count)
    section.note(fmt::format("The table lists the {} pairs that differ most.", grouped(listed)));
  const Devices gpus = devices_of(result, {result::Metric::gpu});
  section.draw(utilization_chart(gpus, balance));
  // Where none stands out there is nothing to find in hundreds of cells.
  const auto threshold = parameter(rule, "threshold");
  if (!threshold || balance.pairs.front().distance > *threshold)
    section.draw(distance_chart(gpus, balance, kMaxDistance));
  Table table("Distances between GPUs, largest first", {{"GPU", Kind::head},
                                                        {"Compared with"},
                                                        {"Distance", Kind::number},
                                                        {"0 to 0.833", Kind::bar}});
  for (const result::BalancePair& pair : balance.pairs)
    table.add({device_name(pair.first_node, pair.first), device_name(pair.second_node, pair.second),
               fmt::format("{:.3f}", pair.distance),
               Cell(fmt::format("{:.3f} of 0.833", pair.distance),
                    {{0, 100 * pair.distance / kMaxDistance}})});
  section.show(table, 10, "pairs");
  return section;
}

} // namespace

const SectionSpec kLoadBalanceSection = {
    .id = "load-balance",
    .heading = "Workload balancing",
    .chapter = Chapter::communication,
    .rule = "LoadBalancing",
    .how_to_read = "Evenly loaded GPUs have overlapping histograms and a distance near 0. An "
                   "outlier is either waiting for the others or slowing them down.",
    .how_computed = "The distance is the Jensen-Shannon distance (natural logarithm) of two "
                    "utilization histograms with 50 bins: 0 is alike, 0.83 is the maximum. The "
                    "rule LoadBalancing compares the largest distance with its threshold.",
    .make = make_load_balance,
    .old_id = "workload-balancing",
};

} // namespace debrief::render
