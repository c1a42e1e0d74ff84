#include "render/parts/metric_lines.h"

#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::render {

namespace {

using result::MetricTimeline;

constexpr auto kColumns = static_cast<std::size_t>(chart::kPlotWidth / 2);
constexpr auto kFewSamples = static_cast<std::size_t>(chart::kPlotWidth);

/// A metric of a node that has samples.
struct OfNode {
  std::string node;
  const MetricTimeline* metric = nullptr;
};

/// Only those of the first node's unit: disks count bytes or operations.
std::vector<OfNode> find(const result::Timeline& timeline, std::string_view name) {
  std::vector<OfNode> out;
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const MetricTimeline& metric : node.metrics)
      if (metric.metric == name && !metric.times.empty() &&
          (out.empty() || out.front().metric->unit == metric.unit))
        out.push_back({printable(node.node), &metric});
  return out;
}

/// One node's samples are drawn as they are while there is a pixel for each.
chart::Grid grid_of(const result::Timeline& timeline, const std::vector<OfNode>& nodes) {
  Microseconds interval = 0;
  for (const OfNode& node : nodes)
    interval = std::max(interval, chart::usual_interval(node.metric->times));
  if (nodes.size() == 1 && nodes.front().metric->times.size() <= kFewSamples)
    return chart::every_sample(timeline.span, interval);
  return chart::grid_for(timeline.span, interval, kColumns);
}

/// Least and greatest of the devices at each moment.
struct Bounds {
  std::vector<float> least;
  std::vector<float> greatest;
};

Bounds bounds_of(const MetricTimeline& metric) {
  Bounds out{metric.whole, metric.whole};
  for (const std::vector<float>& values : metric.values)
    for (std::size_t at = 0; at < values.size(); ++at)
      if (std::isfinite(values[at])) {
        out.least[at] = std::min(out.least[at], values[at]);
        out.greatest[at] = std::max(out.greatest[at], values[at]);
      }
  return out;
}

std::vector<chart::Column> whole_columns(const MetricTimeline& metric, const chart::Grid& grid) {
  return chart::reduce({metric.times, metric.whole, {}, {}}, grid);
}

bool has_many_samples(const std::vector<chart::Column>& columns) {
  return std::any_of(columns.begin(), columns.end(),
                     [](const chart::Column& column) { return column.last > column.first; });
}

bool is_sum(const MetricTimeline& metric) {
  return metric.unit != "%";
}

std::string device_noun(std::string_view metric) {
  if (metric.starts_with("GPU")) return "GPU";
  return metric == "CPU" || metric == "I/O" ? "core" : "device";
}

double greatest_of(const MetricLines& lines) {
  double greatest = 0;
  for (const chart::TimeLine& line : lines.lines)
    for (const chart::Column& column : line.columns)
      greatest = std::max(greatest, static_cast<double>(line.band ? column.greatest : column.mean));
  return greatest;
}

/// One node: its mean, or for bytes each direction.
void add_node(MetricLines& out, const OfNode& node, const chart::Grid& grid) {
  const MetricTimeline& metric = *node.metric;
  if (is_sum(metric) && metric.devices.size() > 1 && metric.devices.size() <= chart::kMaxLines) {
    for (std::size_t at = 0; at < metric.devices.size(); ++at)
      out.lines.push_back({printable(metric.devices[at]),
                           chart::reduce({metric.times, metric.values[at], {}, {}}, grid), false});
    std::vector<std::string> names;
    for (const std::string& device : metric.devices)
      names.push_back(brief(device));
    out.words = listed(names);
    if (greatest_of(out) <= 0) out.words += ", 0 throughout";
    return;
  }
  const bool spread = !is_sum(metric) && metric.devices.size() > 1;
  if (!spread) {
    auto columns = whole_columns(metric, grid);
    const bool thinned = has_many_samples(columns);
    out.words = thinned ? "mean of the samples; band from the least to the greatest" : "";
    out.lines.push_back({thinned ? "mean" : "", std::move(columns), thinned});
    return;
  }
  const Bounds bounds = bounds_of(metric);
  out.lines.push_back(
      {"mean", chart::reduce({metric.times, metric.whole, bounds.least, bounds.greatest}, grid),
       true});
  out.words = fmt::format(
      "mean of {}; band from the least to the greatest",
      counted(static_cast<std::int64_t>(metric.devices.size()), device_noun(metric.metric)));
}

void add_nodes(MetricLines& out, const std::vector<OfNode>& nodes, const chart::Grid& grid) {
  std::vector<std::vector<chart::Column>> each;
  for (const OfNode& node : nodes)
    each.push_back(whole_columns(*node.metric, grid));
  if (nodes.size() > chart::kMaxLines) {
    out.lines.push_back({"mean", chart::merge(each, grid), true});
    out.words = fmt::format("mean of {} nodes; band from the least to the greatest", nodes.size());
    return;
  }
  for (std::size_t at = 0; at < nodes.size(); ++at)
    out.lines.push_back({nodes[at].node, std::move(each[at]), false});
  out.words = "a line for each node";
  const MetricTimeline& first = *nodes.front().metric;
  if (first.devices.size() > 1)
    out.words += is_sum(first) ? ", the sum of its directions"
                               : fmt::format(", the mean of its {}s", device_noun(first.metric));
}

} // namespace

MetricLines metric_lines(const result::Timeline& timeline, std::string_view metric) {
  const std::vector<OfNode> nodes = find(timeline, metric);
  MetricLines out;
  if (nodes.empty()) return out;
  out.unit = nodes.front().metric->unit;
  const chart::Grid grid = grid_of(timeline, nodes);
  if (nodes.size() == 1)
    add_node(out, nodes.front(), grid);
  else
    add_nodes(out, nodes, grid);
  return out;
}

MetricLines device_lines(const result::Timeline& timeline, std::string_view metric) {
  const std::vector<OfNode> nodes = find(timeline, metric);
  MetricLines out;
  if (nodes.empty()) return out;
  out.unit = nodes.front().metric->unit;
  const chart::Grid grid = grid_of(timeline, nodes);
  for (const OfNode& node : nodes)
    for (std::size_t at = 0; at < node.metric->devices.size(); ++at) {
      if (out.lines.size() == chart::kMaxLines) return {};
      const std::string device = printable(node.metric->devices[at]);
      out.lines.push_back(
          {nodes.size() > 1 ? fmt::format("{} {}", node.node, device) : device,
           chart::reduce({node.metric->times, node.metric->values[at], {}, {}}, grid), false});
    }
  return out;
}

chart::ValueAxis value_axis(const MetricLines& lines) {
  const double greatest = greatest_of(lines);
  if (lines.unit == "%") return {100, chart::percent_ticks("%")};
  if (greatest <= 0) return {1, {{0, "0"}}};
  chart::ValueAxis axis{1.05 * greatest, {}};
  axis.ticks =
      lines.unit == "B/s" ? chart::bytes_ticks(axis.high, 4) : chart::count_ticks(axis.high, 4);
  for (chart::Tick& tick : axis.ticks)
    if (tick.value > 0) tick.label += "/s";
  return axis;
}

} // namespace debrief::render
