// Everything of the job that has a moment, in panels over one time axis.
#include "chart/time_panel.h"
#include "render/parts/format.h"
#include "render/parts/incident_lanes.h"
#include "render/parts/metric_chart.h"
#include "render/parts/section.h"
#include "render/parts/steps_over_time.h"
#include "render/sections/heat_chart.h"
#include "render/sections/sections.h"
#include "result/phase_words.h"
#include "util/parallel.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <vector>

namespace debrief::render {

namespace {

constexpr std::size_t kMaxNames = 6;

/// "11:09:15", with its date where that is not the first one's.
std::string clock(Microseconds time, Microseconds first) {
  const std::string text = to_readable_time(time);
  constexpr std::size_t kDate = 10;
  return text.substr(0, kDate) == to_readable_time(first).substr(0, kDate) ? text.substr(11, 8)
                                                                           : text;
}

/// Over what span, and where that time went.
std::string span_sentence(const TimeSpan& span, const result::TimeAccounting& accounting) {
  std::string out = fmt::format("Started {}, ran {}", to_readable_time(span.first),
                                to_human_duration(in_seconds(span.length())));
  std::vector<std::string> parts;
  for (const result::TimePart& part : accounting.parts) {
    if (part.seconds <= 0) continue;
    if (parts.size() == kMaxNames) {
      parts.emplace_back("others");
      break;
    }
    parts.push_back(fmt::format("{} {}", truncate(result::phase_words(part.part)),
                                to_human_duration(part.seconds)));
  }
  return out + (parts.size() < 2 ? "." : ": " + join_and(parts) + ".");
}

/// When GPUs were idle longest; empty if none was sampled.
std::string idle_sentence(const result::Timeline& timeline) {
  const TimeSpan loop = loop_of(timeline);
  std::size_t nodes = 0;
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const result::MetricTimeline& metric : node.metrics)
      if (metric.metric == result::Metric::gpu) ++nodes;
  if (nodes == 0) return "";
  const bool begun = loop.first != timeline.span.first;
  const bool ended = loop.last != timeline.span.last;
  const std::string when = begun && ended ? " between startup and shutdown"
                           : begun        ? " after startup"
                           : ended        ? " before shutdown"
                                          : "";
  const auto& longest = timeline.longest_idle;
  if (!longest)
    return fmt::format("GPUs were never below {}% for two samples in a row{}.",
                       result::kIdleGpuPercent, when);
  return fmt::format("Longest idle stretch{} (GPUs{} below {}%): {} at {}.", when,
                     nodes > 1 ? " of " + truncate(longest->node) : "", result::kIdleGpuPercent,
                     to_human_duration(in_seconds(longest->span.length())),
                     clock(longest->span.first, timeline.span.first));
}

std::optional<Chart> phase_chart(const result::Result& result) {
  if (result.timeline.phases.empty()) return std::nullopt;
  std::vector<chart::Stretch> stretches;
  for (const result::Phase& phase : result.timeline.phases)
    stretches.push_back(
        {printable(result::phase_words(phase.name)), phase.span,
         fmt::format("{}: from {} for {}", truncate(result::phase_words(phase.name)),
                     to_readable_time(phase.span.first),
                     to_human_duration(in_seconds(phase.span.length())))});
  Chart figure;
  figure.caption = "Phases; times are UTC";
  figure.svg = chart::phase_strip({figure.caption, result.timeline.span}, stretches);
  return figure;
}

/// When findings and rules held.
std::optional<Chart> lane_chart(const result::Result& result) {
  const std::vector<chart::Lane> lanes = incident_lanes(result);
  if (lanes.empty()) return std::nullopt;
  Chart figure;
  figure.caption = "Findings and rules over time";
  figure.svg = chart::lane_strip({figure.caption, result.timeline.span}, lanes);
  return figure;
}

/// "Not drawn: CPU time spent waiting for I/O stays below 1%, network traffic is 0 throughout."
std::string flat_note(const std::vector<result::Metric>& flat) {
  using result::Metric;
  std::vector<std::string> parts;
  for (const Metric metric : flat)
    parts.push_back(lowered(metric_title(metric)) +
                    (metric == Metric::network || metric == Metric::disk ? " is 0 throughout"
                                                                         : " stays below 1%"));
  return fmt::format("Not drawn: {}.", join_and(parts));
}

/// What a panel is about: its caption goes on with what the drawing has.
std::string subject_of(const std::string& caption) {
  return caption.substr(0, caption.find_first_of(".:;"));
}

void add_panel(Section& section, std::string_view name, std::optional<Chart> chart) {
  if (!chart) return;
  chart->phone.clear(); // the script draws panels of any width
  SectionItem panel{{{"name", name},
                     {"subject", subject_of(chart->caption)},
                     {"opens_more", nullptr},
                     {"closes_more", false}},
                    {}};
  panel.blocks.emplace_back(*std::move(chart));
  section.add(std::move(panel));
}

/// Whether panels of what is seldom looked at are worth opening: a finding is about one of them.
bool needs_more(const std::vector<result::Finding>& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const result::Finding& finding) {
    return finding.severity != result::Severity::info && spec_of(finding.kind).opens_panels;
  });
}

/// "More over time: GPU power, host memory in use and network traffic".
std::string more_words(const std::vector<result::Metric>& metrics) {
  std::vector<std::string> names;
  for (const result::Metric metric : metrics)
    names.push_back(lowered(metric_title(metric)));
  return "More over time: " + join_and(names);
}

/// A panel before it is drawn, which takes longer than all else of the section.
struct Panel {
  std::string name;
  std::function<std::optional<Chart>()> draw;
  std::optional<Chart> chart = {}; ///< stays empty where there is nothing to draw
};

void draw(std::vector<Panel>& panels) {
  parallel_for(panels.size(), [&](std::size_t i) { panels[i].chart = panels[i].draw(); });
}

/// Panels of what few look at, folded away after all others.
void add_more(Section& section, const result::Result& result, std::vector<Panel> panels,
              std::vector<result::Metric> metrics) {
  std::erase_if(metrics, [&](result::Metric metric) {
    return std::none_of(panels.begin(), panels.end(), [&](const Panel& panel) {
      return panel.name == to_text(metric) && panel.chart;
    });
  });
  if (metrics.empty()) return;
  const std::size_t first = section.items().size();
  for (Panel& panel : panels)
    add_panel(section, panel.name, std::move(panel.chart));
  section.items()[first].words["opens_more"] = {{"words", more_words(metrics)},
                                                {"open", needs_more(result.findings)}};
  section.items().back().words["closes_more"] = true;
}

void add_panels(Section& section, const result::Result& result) {
  using result::Metric;
  std::vector<Metric> flat;
  const auto with_something_to_see = [&](std::initializer_list<Metric> metrics) {
    std::vector<Metric> out;
    for (const Metric metric : metrics)
      (is_flat(result.timeline, metric) ? flat : out).push_back(metric);
    return out;
  };
  const std::vector<Metric> main = with_something_to_see(
      {Metric::gpu, Metric::gpu_sm_activity, Metric::gpu_memory, Metric::cpu, Metric::io});
  const std::vector<Metric> few =
      with_something_to_see({Metric::cpu_memory, Metric::network, Metric::disk, Metric::gpu_power,
                             Metric::gpu_temperature});
  const auto panel_of = [&](Metric metric) {
    return Panel{std::string{to_text(metric)},
                 [&, metric] { return metric_chart(result, metric); }};
  };
  std::vector<Panel> panels = {{"phases", [&] { return phase_chart(result); }},
                               {"lanes", [&] { return lane_chart(result); }}};
  std::transform(main.begin(), main.end(), std::back_inserter(panels), panel_of);
  panels.push_back({"steps", [&] { return step_chart(result); }});
  panels.push_back({"heat", [&] { return heat_chart(result.timeline); }});
  const auto first_of_few = static_cast<std::ptrdiff_t>(panels.size());
  std::transform(few.begin(), few.end(), std::back_inserter(panels), panel_of);
  draw(panels);
  std::vector<Panel> folded(std::make_move_iterator(panels.begin() + first_of_few),
                            std::make_move_iterator(panels.end()));
  panels.erase(panels.begin() + first_of_few, panels.end());
  for (Panel& panel : panels)
    add_panel(section, panel.name, std::move(panel.chart));
  add_more(section, result, std::move(folded), few);
  if (!flat.empty()) section.note(flat_note(flat));
}

std::optional<Section> make_timeline(const result::Result& result) {
  Section section;
  if (!result.timeline.empty()) {
    section.say(span_sentence(result.timeline.span, result.time_accounting));
    section.say(idle_sentence(result.timeline));
    add_panels(section, result);
  }
  if (result.timeline.nodes.empty())
    section.note("No samples were recorded. Run with 'debrief record', or turn on SageMaker's "
                 "system monitoring (profiler-output/system).");
  if (result.timeline.steps.empty()) section.note("No steps with a known clock were recorded.");
  return section;
}

} // namespace

const SectionSpec kTimelineSection = {
    .id = "timeline",
    .heading = "Timeline",
    .chapter = Chapter::timeline,
    .how_to_read = "All panels share one axis. Look down from a dip in GPU utilization to see what "
                   "CPU, disk and network did then. Lanes show when findings and rules applied; a "
                   "rule with a patience or window starts late. In the heat map each GPU and core "
                   "is a row; a dark row among bright ones is an unused device. Zooming recomputes "
                   "the tables of system usage and step time.",
    .how_computed =
        "Lines are the samples: the mean over a node's devices, the sum for network and disk. With "
        "more samples than pixels, each column shows min and max. Phases are runs of steps of one "
        "mode; breaks shorter than a second or 1% of the training loop are bridged. Nothing is "
        "smoothed. Gaps mean no samples were recorded.",
    .make = make_timeline,
    .body = "sections/timeline.html",
};

} // namespace debrief::render
