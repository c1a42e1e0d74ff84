#include "render/sections/timeline.h"

#include "chart/phase_strip.h"
#include "render/parts/format.h"
#include "render/parts/incident_lanes.h"
#include "render/parts/metric_chart.h"
#include "render/parts/section.h"
#include "render/parts/steps_over_time.h"
#include "render/sections/heat_chart.h"
#include "render/sections/timeline_words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>

namespace debrief::render {

namespace {

using nlohmann::json;

std::optional<Figure> phase_figure(const result::Result& result) {
  if (result.timeline.phases.empty()) return std::nullopt;
  std::vector<chart::Stretch> stretches;
  for (const result::Phase& phase : result.timeline.phases)
    stretches.push_back(
        {printable(phase.name), phase.span,
         fmt::format("{}: from {} for {}", brief(phase.name), to_readable_time(phase.span.first),
                     to_human_duration(in_seconds(phase.span.length())))});
  Figure figure;
  figure.caption = "Phases of the job; times are UTC.";
  figure.svg = chart::phase_strip({figure.caption, result.timeline.span, {}}, stretches);
  return figure;
}

void add_panel(json& panels, std::string_view name, const std::optional<Figure>& figure) {
  if (!figure) return;
  json panel = figure->view();
  panel["name"] = name;
  panels.push_back(std::move(panel));
}

} // namespace

json timeline_view(const result::Result& result) {
  Section section;
  json panels = json::array();
  if (!result.timeline.empty()) {
    section.say(span_sentence(result.timeline.span, result.time_accounting));
    section.say(idle_sentence(result.timeline));
    add_panel(panels, "phases", phase_figure(result));
    for (const char* metric : {"GPU", "GPU memory", "CPU", "I/O", "CPU memory", "Network", "Disk"})
      add_panel(panels, metric, metric_figure(result, metric));
    add_panel(panels, "steps", step_figure(result));
    add_panel(panels, "heat", heat_figure(result.timeline));
  }
  if (result.timeline.nodes.empty())
    section.note(
        "No samples over time: there are no system metrics (profiler-output/system). Turn on the "
        "profiler's system monitoring, which samples twice a second, to record them.");
  if (result.timeline.steps.empty())
    section.note("No steps over time: no framework timeline (profiler-output/framework) has steps "
                 "whose clock is known.");
  json view = section.view();
  view["panels"] = std::move(panels);
  return view;
}

} // namespace debrief::render
