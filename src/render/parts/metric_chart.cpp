#include "render/parts/metric_chart.h"

#include "render/parts/format.h"
#include "render/parts/incident_lanes.h"
#include "render/parts/metric_lines.h"

#include <fmt/format.h>

#include <array>
#include <string>
#include <utility>

namespace debrief::render {

namespace {

std::string title(std::string_view metric) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kTitles = {
      {{"GPU", "GPU utilization"},
       {"GPU memory", "GPU memory in use"},
       {"CPU", "CPU utilization"},
       {"I/O", "CPU time spent waiting for I/O"},
       {"CPU memory", "Host memory in use"},
       {"Network", "Network traffic"},
       {"Disk", "Disk traffic"}}};
  for (const auto& [name, words] : kTitles)
    if (name == metric) return std::string{words};
  return brief(metric);
}

/// "Shaded where LowGPUUtilization and CPUBottleneck held."
std::string lanes_words(const std::vector<chart::Lane>& lanes) {
  std::vector<std::string> names;
  for (const chart::Lane& lane : lanes)
    names.push_back(lane.name);
  return names.empty() ? "" : fmt::format(" Shaded where {} held.", listed(names));
}

Figure figure_of(const MetricLines& lines, const result::Result& result, std::string caption,
                 std::string_view metric) {
  chart::TimePanel panel{caption, result.timeline.span, incident_lanes(result, metric)};
  Figure figure;
  figure.caption = std::move(caption) + lanes_words(panel.lanes);
  figure.svg = chart::time_lines(panel, value_axis(lines), lines.lines);
  if (lines.lines.size() > 1)
    for (std::size_t at = 0; at < lines.lines.size(); ++at)
      figure.legend.push_back(
          {std::to_string(at), brief(lines.lines[at].name), chart::line_color(at)});
  return figure;
}

} // namespace

std::optional<Figure> metric_figure(const result::Result& result, std::string_view metric) {
  const MetricLines lines = metric_lines(result.timeline, metric);
  if (lines.lines.empty()) return std::nullopt;
  const std::string words = lines.words.empty() ? "" : ": " + lines.words;
  return figure_of(lines, result, title(metric) + words + ".", metric);
}

void draw_gpu_memory(Section& section, const result::Result& result) {
  constexpr std::string_view kMetric = "GPU memory";
  MetricLines lines = device_lines(result.timeline, kMetric);
  if (!lines.lines.empty()) {
    section.draw(figure_of(lines, result, "Memory of each GPU over time.", kMetric));
    return;
  }
  lines = metric_lines(result.timeline, kMetric);
  if (!lines.lines.empty())
    section.draw(
        figure_of(lines, result, "Memory of the GPUs over time: " + lines.words + ".", kMetric));
}

} // namespace debrief::render
