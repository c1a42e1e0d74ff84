#include "chart/phase_strip.h"

#include "chart/words.h"

#include <algorithm>

namespace debrief::chart {

namespace {

constexpr double kPhaseStripTop = 4;
constexpr double kPhaseStripPitch = 16;
constexpr double kPhaseStripBar = 10;

std::vector<std::string> lanes_of(const std::vector<Stretch>& stretches) {
  std::vector<std::string> lanes;
  for (const Stretch& stretch : stretches) {
    if (std::find(lanes.begin(), lanes.end(), stretch.name) != lanes.end()) continue;
    if (lanes.size() == kMaxLanes) {
      lanes.back() = "others";
      break;
    }
    lanes.push_back(stretch.name);
  }
  return lanes;
}

/// What is not training is gray.
Color lane_color(const std::string& name) {
  if (name == "TRAIN") return series(0);
  if (name == "EVAL") return series(1);
  return kRest;
}

} // namespace

std::string phase_strip(const TimePanel& panel, const std::vector<Stretch>& stretches) {
  const std::vector<std::string> lanes = lanes_of(stretches);
  const double bottom = kPhaseStripTop + kPhaseStripPitch * static_cast<double>(lanes.size());
  Svg svg(kPanelWidth, bottom + kTimeAxisHeight, panel.label);
  const Scale x = time_scale(panel.span);
  draw_time_axis(svg, panel.span, bottom, bottom - kPhaseStripTop);
  for (std::size_t at = 0; at < lanes.size(); ++at)
    svg.text({kPanelLeft - 6, kPhaseStripTop + kPhaseStripPitch * static_cast<double>(at) + 11},
             fitted(lanes[at], kPanelLeft - 8), Anchor::end);
  for (const Stretch& stretch : stretches) {
    const auto lane = std::find(lanes.begin(), lanes.end(), stretch.name);
    const auto at = std::min<std::ptrdiff_t>(lane - lanes.begin(), std::ssize(lanes) - 1);
    const double from = x(static_cast<double>(stretch.span.first));
    const double to = x(static_cast<double>(stretch.span.last));
    svg.rect({std::min(from, x.to - 1),
              kPhaseStripTop + kPhaseStripPitch * static_cast<double>(at) + 2,
              std::max(to - from, 1.0), kPhaseStripBar},
             lane_color(stretch.name), stretch.tip);
  }
  return svg.finish();
}

} // namespace debrief::chart
