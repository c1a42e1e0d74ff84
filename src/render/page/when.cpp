#include "render/page/when.h"

#include "chart/meaning.h"
#include "chart/reduce.h"
#include "chart/strip.h"
#include "render/parts/cause_words.h"
#include "render/parts/format.h"
#include "util/number_text.h"
#include "util/sample_times.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

constexpr double kRibbonHeight = 26;
constexpr double kGpuHeight = 72;
constexpr double kCpuHeight = 48;
constexpr std::size_t kProcessesShown = 6;

/// The order of the stack, from the bottom.
constexpr std::array kStack = {Meaning::compute,       Meaning::data,      Meaning::disk,
                               Meaning::communication, Meaning::launch,    Meaning::copy,
                               Meaning::between,       Meaning::startup,   Meaning::model,
                               Meaning::idle,          Meaning::unmeasured};
static_assert(kStack.size() == chart::kMeanings); // what is not in it would not be drawn

std::string ribbon_svg(const result::Waste& waste) {
  const result::WasteOverTime& bins = waste.over_time;
  std::map<Meaning, chart::RibbonPart> parts;
  const auto part = [&](Meaning meaning, const std::string& name) -> chart::RibbonPart& {
    chart::RibbonPart& out = parts[meaning];
    if (out.shares.empty()) {
      out = {name, chart::color_of(meaning), std::vector<double>(bins.busy.size(), 0)};
    } else if (out.name.find(name) == std::string::npos &&
               out.name.find(lowered(name)) == std::string::npos) {
      out.name += ", " + lowered(name);
    }
    return out;
  };
  const auto add = [&](chart::RibbonPart& to, const std::vector<double>& seconds) {
    for (std::size_t at = 0; at < std::min(seconds.size(), to.shares.size()); ++at)
      to.shares[at] += seconds[at];
  };
  add(part(Meaning::compute, "Computing"), bins.busy);
  for (const result::CauseOverTime& lost : bins.lost)
    add(part(meaning_of(lost.cause, waste), cause_name(lost.cause, waste)), lost.seconds);
  if (!bins.set_aside.empty()) add(part(Meaning::startup, kSetAsideName), bins.set_aside);
  add(part(Meaning::unmeasured, "Not measured"), bins.unmeasured);
  std::vector<double> whole(bins.busy.size(), 0);
  for (const auto& [meaning, one] : parts)
    for (std::size_t at = 0; at < whole.size(); ++at)
      whole[at] += one.shares[at];
  std::vector<chart::RibbonPart> stacked;
  for (const Meaning meaning : kStack)
    if (const auto found = parts.find(meaning); found != parts.end()) {
      for (std::size_t at = 0; at < whole.size(); ++at)
        if (whole[at] > 0) found->second.shares[at] /= whole[at];
      stacked.push_back(std::move(found->second));
    }
  return chart::ribbon("GPU time by cause over the job's time", stacked, kRibbonHeight);
}

/// A metric of all nodes over the ribbon's time: the mean, and the range of single devices.
std::optional<chart::StripArea> area_of(const result::Timeline& timeline, const TimeSpan& span,
                                        result::Metric metric) {
  std::vector<std::vector<chart::Column>> nodes;
  Microseconds interval = 0;
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const result::MetricTimeline& one : node.metrics)
      if (one.metric == metric) interval = std::max(interval, usual_interval(one.times));
  const chart::Grid grid = chart::grid_for(span, interval, result::kWasteBins);
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const result::MetricTimeline& one : node.metrics) {
      if (one.metric != metric || one.times.empty()) continue;
      nodes.push_back(chart::reduce({one.times, one.whole, {}, {}}, grid));
    }
  if (nodes.empty()) return std::nullopt;
  const std::vector<chart::Column> columns =
      nodes.size() == 1 ? std::move(nodes.front()) : chart::merge(nodes, grid);
  constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();
  chart::StripArea out;
  out.values.assign(grid.columns, kNothing);
  const bool band = nodes.size() > 1;
  if (band) out.low = out.high = out.values;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    // A column without samples in the middle of a stretch has what the one before has.
    const std::size_t from =
        at > 0 && !columns[at].after_gap ? columns[at - 1].index + 1 : columns[at].index;
    for (std::size_t index = from; index <= columns[at].index; ++index) {
      out.values[index] = static_cast<double>(columns[at].mean);
      if (!band) continue;
      out.low[index] = static_cast<double>(columns[at].least);
      out.high[index] = static_cast<double>(columns[at].greatest);
    }
  }
  return out;
}

/// Minutes and seconds since the start: "0:30", "1:05:00".
std::string since_start(double seconds) {
  const auto whole = std::llround(seconds);
  const auto hours = whole / 3600;
  return hours > 0 ? fmt::format("{}:{:02}:{:02}", hours, whole / 60 % 60, whole % 60)
                   : fmt::format("{}:{:02}", whole / 60, whole % 60);
}

std::vector<chart::Tick> ticks_since_start(double seconds) {
  constexpr std::array kSteps = {1,   2,   5,    10,   15,   30,    60,    120,   300,
                                 600, 900, 1800, 3600, 7200, 14400, 21600, 43200, 86400};
  constexpr double kWanted = 5;
  if (seconds < kWanted) return {{0, "0"}, {1, to_human_duration(seconds)}};
  double step = kSteps.back();
  for (const int one : kSteps)
    if (seconds / one <= kWanted) {
      step = one;
      break;
    }
  while (seconds / step > kWanted)
    step *= 2;
  std::vector<chart::Tick> out;
  const auto last = static_cast<std::size_t>(seconds / step);
  for (std::size_t number = 0; number <= last; ++number) {
    const double at = static_cast<double>(number) * step;
    out.push_back({at / seconds, since_start(at)});
  }
  return out;
}

json row(const std::string& name, const std::string& more, const char* css, std::string svg,
         Placeholders& placeholders) {
  return {{"name", name},
          {"more", more.empty() ? json(nullptr) : json(more)},
          {"class", css},
          {"svg", placeholders.keep(std::move(svg))}};
}

json over_time_view(const result::Result& result, Placeholders& placeholders) {
  const result::WasteOverTime& bins = result.waste.over_time;
  json rows = json::array();
  rows.push_back(row(result.waste.unit == result::WasteUnit::node_hours ? "Time" : "GPU time",
                     "by cause", "ribbon", ribbon_svg(result.waste), placeholders));
  if (auto area = area_of(result.timeline, bins.span, result::Metric::gpu)) {
    area->label = "GPU utilization over time, 0 to 100%";
    area->color = chart::color_of(Meaning::compute);
    rows.push_back(row("GPU", "0–100%", "gpu", chart::strip_area(*area, kGpuHeight), placeholders));
  }
  if (auto area = area_of(result.timeline, bins.span, result::Metric::cpu)) {
    area->label = "CPU utilization over time, all cores, 0 to 100%";
    area->color = chart::color_of(Meaning::launch);
    rows.push_back(row("CPU", "0–100%", "cpu", chart::strip_area(*area, kCpuHeight), placeholders));
  }
  return {{"title", "When"},
          {"span", fmt::format("{}..{}", bins.span.first / 1000, bins.span.last / 1000)},
          {"note", "time since start"},
          {"rows", std::move(rows)},
          {"axis", placeholders.keep(
                       chart::strip_axis(ticks_since_start(in_seconds(bins.span.length()))))}};
}

/// What a part of a profiled step means.
std::pair<Meaning, const char*> meaning_of_part(const std::string& part) {
  if (part == "kernel") return {Meaning::compute, "Computing"};
  if (part == "memcpy" || part == "memset") return {Meaning::copy, "Memory copies"};
  if (part == "communication") return {Meaning::communication, "Exposed communication"};
  if (part == "data loader") return {Meaning::data, "Waiting on data"};
  if (part == "runtime" || part == "CPU operators") return {Meaning::launch, "CPU and launches"};
  return {Meaning::idle, "Other idle"};
}

/// Of traces alone: the parts of the profiled steps, a bar for each process.
json profiled_view(const result::Traces& traces, Placeholders& placeholders) {
  json rows = json::array();
  for (const result::ProcessBreakdown& process : traces.processes) {
    if (process.us <= 0) continue;
    if (rows.size() == kProcessesShown) break;
    std::map<Meaning, chart::StripPart> parts;
    for (const result::StepPart& one : process.parts) {
      const auto [meaning, name] = meaning_of_part(one.part);
      chart::StripPart& part = parts[meaning];
      part.name = name;
      part.color = chart::color_of(meaning);
      part.share += one.us / process.us;
    }
    std::vector<chart::StripPart> stacked;
    std::string label = truncate(process.process);
    for (const Meaning meaning : kStack)
      if (const auto found = parts.find(meaning); found != parts.end()) {
        chart::StripPart& part = found->second;
        part.words = fmt::format("{} {}", part.name, percent_text(100 * part.share));
        part.name = part.words;
        label += "; " + part.words;
        stacked.push_back(std::move(part));
      }
    rows.push_back(row(truncate(process.process), "", "bar",
                       chart::strip_bar(label, stacked, kRibbonHeight), placeholders));
  }
  if (rows.empty()) return nullptr;
  const auto count = std::ssize(traces.processes);
  return {{"title", "Profiled steps by part"},
          {"span", ""},
          {"note", count > static_cast<std::ptrdiff_t>(kProcessesShown)
                       ? fmt::format("{} of {} processes", kProcessesShown, count_text(count))
                       : std::string{"no samples over time were recorded"}},
          {"rows", std::move(rows)},
          {"axis", nullptr}};
}

} // namespace

json when_view(const result::Result& result, Placeholders& placeholders) {
  if (!result.waste.over_time.empty()) return over_time_view(result, placeholders);
  return profiled_view(result.traces, placeholders);
}

} // namespace debrief::render
