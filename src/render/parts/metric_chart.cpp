#include "render/parts/metric_chart.h"

#include "chart/time_lines.h"
#include "render/parts/format.h"
#include "result/timeline.h"
#include "util/sample_times.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

/// What a metric's panel draws: lines, and the words that say what they are.
struct MetricLines {
  std::vector<chart::TimeLine> lines;
  std::string words; ///< "mean of 4 devices, band from the least to the greatest"
  std::string unit;
  bool fixed = false; ///< the axis goes to 100%, whatever the values
};

constexpr double kFillsAxis = 50; ///< percent: from there on the axis is the whole
constexpr double kFlat = 1;       ///< percent: nothing to see below it

using result::MetricTimeline;

constexpr auto kColumns = static_cast<std::size_t>(chart::kPlotWidth / 2);
constexpr auto kFewSamples = static_cast<std::size_t>(chart::kPlotWidth);

/// A metric of a node that has samples.
struct OfNode {
  std::string node;
  const MetricTimeline* metric = nullptr;
};

/// Only those of the first node's unit: disks count bytes or operations.
std::vector<OfNode> find(const result::Timeline& timeline, result::Metric name) {
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
    interval = std::max(interval, usual_interval(node.metric->times));
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

/// Network and disks have directions; all else has devices that are alike.
bool is_sum(const MetricTimeline& metric) {
  return metric.unit == "B/s" || metric.unit == "1/s";
}

std::string device_noun(result::Metric metric) {
  using result::Metric;
  switch (metric) {
  case Metric::gpu:
  case Metric::gpu_memory:
  case Metric::gpu_sm_activity:
  case Metric::gpu_power:
  case Metric::gpu_temperature:
    return "GPU";
  case Metric::cpu:
  case Metric::io:
    return "core";
  default:
    return "device";
  }
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
      names.push_back(truncate(device));
    out.words = join_and(names);
    if (greatest_of(out) <= 0) out.words += ", 0 throughout";
    return;
  }
  const bool spread = !is_sum(metric) && metric.devices.size() > 1;
  if (!spread) {
    auto columns = whole_columns(metric, grid);
    const bool thinned = has_many_samples(columns);
    out.words = thinned ? "mean of the samples; band min to max" : "";
    out.lines.push_back({thinned ? "mean" : "", std::move(columns), thinned});
    return;
  }
  const Bounds bounds = bounds_of(metric);
  out.lines.push_back(
      {"mean", chart::reduce({metric.times, metric.whole, bounds.least, bounds.greatest}, grid),
       true});
  out.words = fmt::format(
      "mean of {}; band min to max",
      plural(static_cast<std::int64_t>(metric.devices.size()), device_noun(metric.metric)));
}

void add_nodes(MetricLines& out, const std::vector<OfNode>& nodes, const chart::Grid& grid) {
  std::vector<std::vector<chart::Column>> each;
  for (const OfNode& node : nodes)
    each.push_back(whole_columns(*node.metric, grid));
  if (nodes.size() > chart::kMaxLines) {
    out.lines.push_back({"mean", chart::merge(each, grid), true});
    out.words = fmt::format("mean of {} nodes; band min to max", nodes.size());
    return;
  }
  for (std::size_t at = 0; at < nodes.size(); ++at)
    out.lines.push_back({nodes[at].node, std::move(each[at]), false});
  out.words = "one line per node";
  const MetricTimeline& first = *nodes.front().metric;
  if (first.devices.size() > 1)
    out.words += is_sum(first) ? ", the sum of its directions"
                               : fmt::format(", the mean of its {}s", device_noun(first.metric));
}

/// As the timeline shows a metric; no lines where no node has it.
MetricLines metric_lines(const result::Timeline& timeline, result::Metric metric) {
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

/// A line for each device of each node; no lines where there are more than kMaxLines.
MetricLines device_lines(const result::Timeline& timeline, result::Metric metric) {
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

/// An axis for lines of this unit.
chart::ValueAxis value_axis(const MetricLines& lines) {
  const double greatest = greatest_of(lines);
  if (lines.unit == "%" && (lines.fixed || greatest > kFillsAxis))
    return {100, chart::percent_ticks("%")};
  if (lines.unit == "%") {
    chart::ValueAxis axis{std::max(1.0, 1.1 * greatest), {}};
    axis.ticks = chart::count_ticks(axis.high, 4);
    for (chart::Tick& tick : axis.ticks)
      tick.label += '%';
    return axis;
  }
  if (greatest <= 0) return {1, {{0, "0"}}};
  chart::ValueAxis axis{1.05 * greatest, {}};
  axis.ticks =
      lines.unit == "B/s" ? chart::bytes_ticks(axis.high, 4) : chart::count_ticks(axis.high, 4);
  const bool is_rate = lines.unit.ends_with("/s");
  for (chart::Tick& tick : axis.ticks)
    if (tick.value > 0) tick.label += is_rate ? "/s" : "\u00a0" + lines.unit;
  return axis;
}

std::string title(std::string_view metric) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kTitles = {
      {{"GPU", "GPU utilization"},
       {"SM activity", "GPU multiprocessors active"},
       {"GPU memory", "GPU memory in use"},
       {"CPU", "CPU utilization"},
       {"I/O", "CPU time spent waiting for I/O"},
       {"CPU memory", "Host memory in use"},
       {"Network", "Network traffic"},
       {"Disk", "Disk traffic"}}};
  for (const auto& [name, words] : kTitles)
    if (name == metric) return std::string{words};
  return truncate(metric);
}

Chart chart_of(const MetricLines& lines, const result::Result& result, std::string caption) {
  const chart::TimePanel panel{caption, result.timeline.span};
  Chart figure =
      drawn_chart(std::move(caption),
                  [&] { return chart::time_lines(panel, value_axis(lines), lines.lines); }, {});
  if (lines.lines.size() > 1)
    for (std::size_t at = 0; at < lines.lines.size(); ++at)
      figure.legend.push_back(
          {std::to_string(at), truncate(lines.lines[at].name), chart::line_color(at)});
  return figure;
}

} // namespace

bool is_flat(const result::Timeline& timeline, result::Metric metric) {
  if (metric == result::Metric::gpu) return false;
  const std::vector<OfNode> nodes = find(timeline, metric);
  return !nodes.empty() && std::all_of(nodes.begin(), nodes.end(), [](const OfNode& node) {
    const double most = is_sum(*node.metric) ? 0 : kFlat;
    const auto low = [most](float value) { return !(static_cast<double>(value) > most); };
    const auto all_low = [&](const std::vector<float>& values) {
      return std::all_of(values.begin(), values.end(), low);
    };
    return all_low(node.metric->whole) &&
           std::all_of(node.metric->values.begin(), node.metric->values.end(), all_low);
  });
}

std::string metric_title(result::Metric metric) {
  return title(to_text(metric));
}

std::optional<Chart> metric_chart(const result::Result& result, result::Metric metric) {
  MetricLines lines = metric_lines(result.timeline, metric);
  if (lines.lines.empty()) return std::nullopt;
  lines.fixed = metric == result::Metric::gpu;
  const std::string words = lines.words.empty() ? "" : ": " + lines.words;
  return chart_of(lines, result, title(to_text(metric)) + words + ".");
}

void draw_gpu_memory(Section& section, const result::Result& result) {
  constexpr auto kMetric = result::Metric::gpu_memory;
  MetricLines lines = device_lines(result.timeline, kMetric);
  if (!lines.lines.empty()) {
    section.draw(chart_of(lines, result, "Memory by GPU over time"));
    return;
  }
  lines = metric_lines(result.timeline, kMetric);
  if (!lines.lines.empty())
    section.draw(chart_of(lines, result, "GPU memory over time: " + lines.words + "."));
}

} // namespace debrief::render
