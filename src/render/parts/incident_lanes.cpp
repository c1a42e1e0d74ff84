#include "render/parts/incident_lanes.h"

#include "render/parts/cause_words.h"
#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

/// A rule or a kind of finding, and a panel that shows what it is about.
struct Concern {
  std::string_view what;
  std::string_view panel;
};

constexpr std::array<Concern, 33> kConcerns = {{{"LowGPUUtilization", "GPU"},
                                                {"CPUBottleneck", "GPU"},
                                                {"CPUBottleneck", "CPU"},
                                                {"IOBottleneck", "GPU"},
                                                {"IOBottleneck", "I/O"},
                                                {"LoadBalancing", "GPU"},
                                                {"BatchSize", "GPU memory"},
                                                {"GPUMemoryIncrease", "GPU memory"},
                                                {"StepOutlier", "steps"},
                                                {"Dataloader", "steps"},
                                                {"input_bound", "GPU"},
                                                {"input_bound", "steps"},
                                                {"cpu_bound", "GPU"},
                                                {"cpu_bound", "CPU"},
                                                {"io_bound", "GPU"},
                                                {"io_bound", "I/O"},
                                                {"underutilized", "GPU"},
                                                {"idle_gpus", "GPU"},
                                                {"load_imbalance", "GPU"},
                                                {"step_stalls", "GPU"},
                                                {"step_stalls", "steps"},
                                                {"slow_start", "GPU"},
                                                {"slow_finish", "GPU"},
                                                {"between_steps", "GPU"},
                                                {"between_steps", "steps"},
                                                {"memory_growth", "GPU memory"},
                                                {"memory_pressure", "GPU memory"},
                                                {"gpu_throttled", "GPU"},
                                                {"cpu_throttled", "CPU"},
                                                {"communication_bound", "GPU"},
                                                {"communication_bound", "steps"},
                                                {"host_sync", "GPU"},
                                                {"idle", "GPU"}}};

bool concerns(std::string_view what, std::string_view panel) {
  return std::any_of(kConcerns.begin(), kConcerns.end(), [&](const Concern& concern) {
    return concern.what == what && concern.panel == panel;
  });
}

/// Incidents that are one mark in the drawing.
struct Joined {
  TimeSpan span;
  const result::Incident* first = nullptr;
  std::size_t count = 0;
};

std::vector<Joined> joined(const std::vector<result::Incident>& incidents, Microseconds pixel) {
  std::vector<const result::Incident*> by_time;
  for (const result::Incident& incident : incidents)
    by_time.push_back(&incident);
  std::stable_sort(by_time.begin(), by_time.end(),
                   [](const auto* a, const auto* b) { return a->span.first < b->span.first; });
  std::vector<Joined> out;
  for (const result::Incident* incident : by_time) {
    if (out.empty() || incident->span.first > out.back().span.last + pixel)
      out.push_back({incident->span, incident, 0});
    out.back().span.include(incident->span.last);
    ++out.back().count;
  }
  return out;
}

std::string tip(const std::string& rule, const Joined& stretch) {
  const std::string what = truncate(stretch.first->what);
  const std::string where =
      stretch.count > 1
          ? plural(static_cast<std::int64_t>(stretch.count), "incident")
          : truncate(incident_place(*stretch.first)) + (what.empty() ? "" : ", " + what);
  return fmt::format("{}: {}; from {} for {}", rule, where, to_readable_time(stretch.span.first),
                     to_human_duration(in_seconds(stretch.span.length())));
}

/// A finding's windows as one mark each, at the job.
std::vector<result::Incident> incidents_of(const result::Finding& finding) {
  std::vector<result::Incident> out;
  for (const TimeSpan& window : finding.windows)
    out.push_back({.node = "", .device = "", .span = window, .what = finding.title});
  return out;
}

chart::Lane lane_of(std::string name, const std::vector<result::Incident>& incidents,
                    Microseconds pixel, const chart::Color& color) {
  chart::Lane lane{std::move(name), {}, color};
  for (const Joined& stretch : joined(incidents, pixel))
    lane.stretches.push_back({stretch.span, tip(lane.name, stretch)});
  return lane;
}

} // namespace

std::string incident_place(const result::Incident& incident) {
  if (incident.node.empty()) return "the job";
  return incident.device.empty() ? printable(incident.node)
                                 : device_name(incident.node, incident.device);
}

std::vector<chart::Lane> incident_lanes(const result::Result& result, std::string_view panel) {
  const auto pixel = static_cast<Microseconds>(static_cast<double>(result.timeline.span.length()) /
                                               chart::kPlotWidth);
  std::vector<chart::Lane> lanes;
  for (const result::Finding& finding : result.findings)
    if (!finding.windows.empty() && concerns(to_text(finding.kind), panel))
      lanes.push_back(lane_of(result::kind_words(finding.kind), incidents_of(finding), pixel,
                              color_of(meaning_of(finding.kind))));
  for (const result::RuleRow& rule : result.rules) {
    if (rule.status != result::RuleStatus::issue_found || rule.incidents.empty()) continue;
    if (!concerns(rule.rule, panel)) continue;
    lanes.push_back(lane_of(printable(rule.rule), rule.incidents, pixel, chart::kRest));
  }
  return lanes;
}

} // namespace debrief::render
