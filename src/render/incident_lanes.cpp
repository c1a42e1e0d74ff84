#include "render/incident_lanes.h"

#include "render/device_table.h"
#include "render/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

struct Concern {
  std::string_view rule;
  std::string_view panel;
};

constexpr std::array<Concern, 10> kConcerns = {{{"LowGPUUtilization", "GPU"},
                                                {"CPUBottleneck", "GPU"},
                                                {"CPUBottleneck", "CPU"},
                                                {"IOBottleneck", "GPU"},
                                                {"IOBottleneck", "I/O"},
                                                {"LoadBalancing", "GPU"},
                                                {"BatchSize", "GPU memory"},
                                                {"GPUMemoryIncrease", "GPU memory"},
                                                {"StepOutlier", "steps"},
                                                {"Dataloader", "steps"}}};

bool concerns(std::string_view rule, std::string_view panel) {
  return std::any_of(kConcerns.begin(), kConcerns.end(), [&](const Concern& concern) {
    return concern.rule == rule && concern.panel == panel;
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
  const std::string what = brief(stretch.first->what);
  const std::string where =
      stretch.count > 1 ? counted(static_cast<std::int64_t>(stretch.count), "incident")
                        : brief(incident_place(*stretch.first)) + (what.empty() ? "" : ", " + what);
  return fmt::format("{}: {}; from {} for {}", rule, where, to_readable_time(stretch.span.first),
                     to_human_duration(in_seconds(stretch.span.length())));
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
  for (const result::RuleRow& rule : result.rules) {
    if (rule.status != result::RuleStatus::issue_found || rule.incidents.empty()) continue;
    if (!concerns(rule.rule, panel)) continue;
    chart::Lane lane{printable(rule.rule), {}};
    for (const Joined& stretch : joined(rule.incidents, pixel))
      lane.stretches.push_back({stretch.span, tip(lane.name, stretch)});
    lanes.push_back(std::move(lane));
  }
  return lanes;
}

} // namespace debrief::render
