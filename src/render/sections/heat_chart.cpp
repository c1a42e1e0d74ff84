#include "render/sections/heat_chart.h"

#include "chart/heat.h"
#include "render/parts/format.h"
#include "util/parallel.h"
#include "util/sample_times.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::MetricTimeline;

/// What may become a row: one device, or a node as a whole.
struct Source {
  const std::string* node = nullptr;
  std::string device;
  const std::vector<Microseconds>* times = nullptr;
  const std::vector<float>* values = nullptr;
  Microseconds interval = 0;
};

/// Neighbors that share a row.
using HeatGroup = std::vector<Source>;

struct Sources {
  std::vector<Source> gpus;
  std::vector<Source> means; ///< of each node's cores
  std::vector<Source> cores;
};

void add_devices(std::vector<Source>& out, const std::string& node, const MetricTimeline& metric,
                 const char* alone) {
  const Microseconds interval = usual_interval(metric.times);
  if (metric.devices.empty()) out.push_back({&node, alone, &metric.times, &metric.whole, interval});
  for (std::size_t at = 0; at < metric.devices.size(); ++at)
    out.push_back(
        {&node, printable(metric.devices[at]), &metric.times, &metric.values[at], interval});
}

Sources sources_of(const result::Timeline& timeline) {
  Sources out;
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const MetricTimeline& metric : node.metrics) {
      if (metric.metric == result::Metric::gpu) add_devices(out.gpus, node.node, metric, "GPU");
      if (metric.metric != result::Metric::cpu) continue;
      out.means.push_back(
          {&node.node, "CPU", &metric.times, &metric.whole, usual_interval(metric.times)});
      add_devices(out.cores, node.node, metric, "CPU");
    }
  return out;
}

/// Groups of `size` neighbors of one node.
std::vector<HeatGroup> grouped_by(const std::vector<Source>& sources, std::size_t size) {
  std::vector<HeatGroup> groups;
  for (const Source& source : sources) {
    if (groups.empty() || groups.back().size() == size || groups.back()[0].node != source.node)
      groups.emplace_back();
    groups.back().push_back(source);
  }
  return groups;
}

/// The smallest groups that are at most `room`; none where even whole nodes are too many.
std::vector<HeatGroup> fitting(const std::vector<Source>& sources, std::size_t room) {
  for (std::size_t size = 1; size <= sources.size(); ++size) {
    std::vector<HeatGroup> groups = grouped_by(sources, size);
    if (groups.size() <= room) return groups;
    if (groups.size() == grouped_by(sources, sources.size()).size()) break;
  }
  return {};
}

/// The same across nodes, for more nodes than there can be rows.
std::vector<HeatGroup> across(const std::vector<Source>& sources, std::size_t room) {
  if (std::vector<HeatGroup> groups = fitting(sources, room); !groups.empty()) return groups;
  std::vector<HeatGroup> groups;
  const std::size_t size = (sources.size() + room - 1) / std::max<std::size_t>(room, 1);
  for (std::size_t at = 0; at < sources.size(); ++at) {
    if (at % size == 0) groups.emplace_back();
    groups.back().push_back(sources[at]);
  }
  return groups;
}

/// "cpu0" and "cpu3" -> "cpu0–3".
std::string range_name(const std::string& first, const std::string& last) {
  const std::size_t digits = first.find_last_not_of("0123456789") + 1;
  const bool numbered =
      digits > 0 && digits < first.size() && last.starts_with(first.substr(0, digits));
  return fmt::format("{}–{}", first, numbered ? last.substr(digits) : last);
}

std::string group_name(const HeatGroup& group, bool with_node) {
  const Source& first = group.front();
  const Source& last = group.back();
  std::string device =
      first.device == last.device ? first.device : range_name(first.device, last.device);
  if (!with_node) return device;
  const std::string node = printable(*first.node);
  if (first.node == last.node) return fmt::format("{} {}", truncate(node), device);
  return fmt::format("{} {}", range_name(truncate(node), truncate(*last.node)), device);
}

std::vector<float> mean_cells(const HeatGroup& group, const TimeSpan& span, std::size_t columns) {
  std::vector<double> sums(columns, 0);
  std::vector<double> counts(columns, 0);
  for (const Source& source : group) {
    const chart::Grid grid{span, columns, max_interval(source.interval)};
    const auto cells =
        chart::cells(chart::reduce({*source.times, *source.values, {}, {}}, grid), columns);
    for (std::size_t at = 0; at < columns; ++at)
      if (std::isfinite(cells[at])) {
        sums[at] += static_cast<double>(cells[at]);
        ++counts[at];
      }
  }
  std::vector<float> out(columns, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t at = 0; at < columns; ++at)
    if (counts[at] > 0) out[at] = static_cast<float>(sums[at] / counts[at]);
  return out;
}

struct Plan {
  std::vector<HeatGroup> gpus;
  std::vector<HeatGroup> means;
  std::vector<HeatGroup> cores;

  std::size_t size() const { return gpus.size() + means.size() + cores.size(); }
};

Plan plan_of(const Sources& sources, bool several) {
  Plan plan;
  constexpr std::size_t kRoom = chart::kMaxHeatRows;
  if (several) plan.means = across(sources.means, kRoom / 2);
  plan.gpus = across(sources.gpus, several ? kRoom - plan.means.size() : kRoom / 2);
  plan.cores = fitting(sources.cores, kRoom - plan.size());
  // Cores in no more rows than nodes would say what the means say.
  if (several && plan.cores.size() <= sources.means.size()) plan.cores.clear();
  return plan;
}

std::string words_of(const Plan& plan, const Sources& sources, bool several) {
  const auto averaged = [](const std::vector<HeatGroup>& groups) {
    return std::any_of(groups.begin(), groups.end(),
                       [](const HeatGroup& group) { return group.size() > 1; });
  };
  std::string out = "Utilization of ";
  out += sources.gpus.empty()    ? "each core"
         : sources.cores.empty() ? "each GPU"
                                 : "each GPU and core";
  out += ". Blank: no samples.";
  if (averaged(plan.gpus) || averaged(plan.means) || averaged(plan.cores))
    out += " Rows average neighbors, as their names say.";
  if (several && !plan.means.empty() && plan.cores.empty()) out += " Cores are averaged by node.";
  return out;
}

} // namespace

std::optional<Chart> heat_chart(const result::Timeline& timeline) {
  const Sources sources = sources_of(timeline);
  const bool several = timeline.nodes.size() > 1;
  const Plan plan = plan_of(sources, several);
  if (plan.size() == 0) return std::nullopt;
  Microseconds interval = 0;
  for (const std::vector<Source>* part : {&sources.gpus, &sources.means})
    for (const Source& source : *part)
      interval = std::max(interval, source.interval);
  const std::size_t columns =
      chart::grid_for(timeline.span, interval, chart::heat_columns(plan.size())).columns;
  std::vector<chart::HeatRow> rows;
  std::vector<const HeatGroup*> of_rows;
  for (const std::vector<HeatGroup>* groups : {&plan.gpus, &plan.means, &plan.cores})
    for (const HeatGroup& group : *groups) {
      rows.push_back({group_name(group, several), {}, &group == &groups->front()});
      of_rows.push_back(&group);
    }
  parallel_for(rows.size(), [&](std::size_t i) {
    rows[i].percents = mean_cells(*of_rows[i], timeline.span, columns);
  });
  Chart figure;
  figure.caption = words_of(plan, sources, several);
  figure.svg = chart::heat_rows({figure.caption, timeline.span}, rows);
  return figure;
}

} // namespace debrief::render
