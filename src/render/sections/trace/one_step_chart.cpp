#include "render/sections/trace/one_step_chart.h"

#include "chart/step_lanes.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

/// By kind, as kSliceKinds; assets/src/steps/draw.ts has the same.
std::array<chart::Color, std::size(result::kSliceKinds)> colors() {
  return {chart::series(0), chart::kRest,     chart::series(4), chart::series(1),
          chart::series(5), chart::series(2), chart::series(3), chart::kInk};
}

std::string caption_of(const result::StepView& view, bool cut) {
  std::string out = fmt::format("The {} slice by slice: a lane for each CPU thread and GPU stream, "
                                "time after its start across",
                                view.number ? view.which + " step" : "trace");
  if (view.number && view.shown_us > view.us) out += "; the dashed line is its end on the host";
  out += '.';
  if (cut)
    out += fmt::format(" Of each lane the first {} levels are drawn, of lanes the first {}.",
                       chart::kMaxLevels, chart::kMaxStepLanes);
  return out;
}

} // namespace

Figure one_step_figure(const result::StepView& view) {
  chart::StepLanes step;
  step.seconds = view.shown_us / 1e6;
  step.mark = view.us / 1e6;
  bool cut = view.tracks.size() > chart::kMaxStepLanes;
  for (const result::StepTrack& track : view.tracks) {
    step.lanes.push_back({printable(track.name), static_cast<std::size_t>(track.depth)});
    cut = cut || step.lanes.back().levels > chart::kMaxLevels;
  }
  for (std::size_t i = 0; i < std::size(result::kSliceKinds); ++i)
    step.kinds.push_back({result::kSliceKinds[i], colors()[i]});
  std::vector<std::string> names;
  names.reserve(view.names.size());
  for (const std::string& name : view.names)
    names.push_back(printable(name));
  std::array<bool, std::size(result::kSliceKinds)> seen{};
  for (const result::StepSlice& slice : view.slices) {
    const auto kind = static_cast<std::size_t>(slice.kind);
    seen[kind] = true;
    step.slices.push_back({static_cast<double>(slice.start_ns) / 1e9,
                           static_cast<double>(slice.start_ns + slice.duration_ns) / 1e9,
                           static_cast<std::size_t>(slice.track),
                           static_cast<std::size_t>(slice.depth), kind,
                           names[static_cast<std::size_t>(slice.name)]});
  }
  Figure figure;
  figure.caption = caption_of(view, cut);
  step.label = figure.caption;
  figure.svg = chart::step_lanes(step);
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i])
      figure.legend.push_back({std::to_string(i), step.kinds[i].name, step.kinds[i].color});
  return figure;
}

} // namespace debrief::render
