// Everything of the job that has a moment, in panels over one time axis.
#include "chart/time_panel.h"
#include "render/parts/format.h"
#include "render/parts/incident_lanes.h"
#include "render/parts/metric_chart.h"
#include "render/parts/section.h"
#include "render/parts/steps_over_time.h"
#include "render/sections/heat_chart.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
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
  std::string out = fmt::format("From {} on, {}", to_readable_time(span.first),
                                to_human_duration(in_seconds(span.length())));
  std::vector<std::string> parts;
  for (const result::TimePart& part : accounting.parts) {
    if (part.seconds <= 0) continue;
    if (parts.size() == kMaxNames) {
      parts.emplace_back("others");
      break;
    }
    parts.push_back(
        fmt::format("{} {}", truncate(part.part.text()), to_human_duration(part.seconds)));
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
  const std::string when = begun && ended ? "Between initialization and finalization, the"
                           : begun        ? "After initialization, the"
                           : ended        ? "Before finalization, the"
                                          : "The";
  const auto& longest = timeline.longest_idle;
  if (!longest)
    return fmt::format("{} GPUs were never idle (below {}%) for two samples in a row.", when,
                       result::kIdleGpuPercent);
  return fmt::format("{} GPUs{} were idle (below {}%) longest from {} for {}.", when,
                     nodes > 1 ? " of " + truncate(longest->node) : "", result::kIdleGpuPercent,
                     clock(longest->span.first, timeline.span.first),
                     to_human_duration(in_seconds(longest->span.length())));
}

std::optional<Chart> phase_chart(const result::Result& result) {
  if (result.timeline.phases.empty()) return std::nullopt;
  std::vector<chart::Stretch> stretches;
  for (const result::Phase& phase : result.timeline.phases)
    stretches.push_back({printable(phase.name.text()), phase.span,
                         fmt::format("{}: from {} for {}", truncate(phase.name.text()),
                                     to_readable_time(phase.span.first),
                                     to_human_duration(in_seconds(phase.span.length())))});
  Chart figure;
  figure.caption = "Phases of the job; times are UTC.";
  figure.svg = chart::phase_strip({figure.caption, result.timeline.span}, stretches);
  return figure;
}

/// When findings and rules held.
std::optional<Chart> lane_chart(const result::Result& result) {
  const std::vector<chart::Lane> lanes = incident_lanes(result);
  if (lanes.empty()) return std::nullopt;
  Chart figure;
  figure.caption = "When findings and rules held.";
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
  SectionItem panel{{{"name", name}, {"subject", subject_of(chart->caption)}}, {}};
  panel.blocks.emplace_back(*std::move(chart));
  section.add(std::move(panel));
}

std::optional<Section> make_timeline(const result::Result& result) {
  Section section;
  if (!result.timeline.empty()) {
    section.say(span_sentence(result.timeline.span, result.time_accounting));
    section.say(idle_sentence(result.timeline));
    add_panel(section, "phases", phase_chart(result));
    add_panel(section, "lanes", lane_chart(result));
    using result::Metric;
    std::vector<Metric> flat;
    for (const Metric metric : {Metric::gpu, Metric::gpu_memory, Metric::cpu, Metric::io,
                                Metric::cpu_memory, Metric::network, Metric::disk})
      if (is_flat(result.timeline, metric))
        flat.push_back(metric);
      else
        add_panel(section, to_text(metric), metric_chart(result, metric));
    if (!flat.empty()) section.note(flat_note(flat));
    add_panel(section, "steps", step_chart(result));
    add_panel(section, "heat", heat_chart(result.timeline));
  }
  if (result.timeline.nodes.empty())
    section.note(
        "No samples over time: there are no system metrics (profiler-output/system). Turn on the "
        "profiler's system monitoring, which samples twice a second, to record them.");
  if (result.timeline.steps.empty())
    section.note("No steps over time: no framework timeline (profiler-output/framework) has steps "
                 "whose clock is known.");
  return section;
}

} // namespace

const SectionSpec kTimelineSection = {
    .id = "timeline",
    .heading = "Timeline",
    .nav_label = "Timeline",
    .group = Group::overview,
    .how_to_read = "All panels share one axis: look down from a dip of the GPUs at what the cores, "
                   "the disks and the network did at that moment. Lanes show when findings and "
                   "rules held; a rule that waits for enough samples (its patience and "
                   "window) begins later than what it looks for. In the heat map each GPU and each "
                   "core is a row; a dark row among bright ones is a device that is left out. A "
                   "window of the timeline recomputes the tables of system usage and steps.",
    .how_computed = "Lines are the samples themselves, of a node the mean over its devices (of "
                    "network and disk the sum); where more samples than pixels are in view, the "
                    "least and the greatest of each column are drawn. Phases are stretches of "
                    "steps of one mode; shorter breaks than a second or 1% of the training loop "
                    "are bridged. Nothing is smoothed, and where no sample is there is a gap.",
    .make = make_timeline,
    .body = "sections/timeline.html",
};

} // namespace debrief::render
