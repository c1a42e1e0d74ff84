#include "render/parts/incident_lanes.h"

#include "render/parts/cause_words.h"
#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

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

std::vector<chart::Lane> incident_lanes(const result::Result& result) {
  const auto pixel = static_cast<Microseconds>(static_cast<double>(result.timeline.span.length()) /
                                               chart::kPlotWidth);
  std::vector<chart::Lane> lanes;
  for (const result::Finding& finding : result.findings)
    if (!finding.windows.empty())
      lanes.push_back(lane_of(result::kind_words(finding.kind), incidents_of(finding), pixel,
                              chart::color_of(meaning_of(finding.kind))));
  for (const result::RuleRow& rule : result.rules) {
    if (rule.status != result::RuleStatus::issue_found || rule.incidents.empty()) continue;
    lanes.push_back(lane_of(printable(rule.rule), rule.incidents, pixel, chart::kRest));
  }
  return lanes;
}

} // namespace debrief::render
