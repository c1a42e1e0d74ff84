#include "chart/time_panel.h"

#include "chart/meaning.h"
#include "chart/svg.h"
#include "chart/words.h"

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kLaneText = 10;
constexpr double kAbovePlot = 6;
constexpr double kTimePanelThinnest = 1.5; ///< pixels of a stretch that has no length to speak of

Box stretch_box(const Scale& x, const TimeSpan& span, double y, double height) {
  const double from = std::clamp(x(static_cast<double>(span.first)), x.from, x.to);
  const double to = std::clamp(x(static_cast<double>(span.last)), x.from, x.to);
  return {std::min(from, x.to - kTimePanelThinnest), y, std::max(to - from, kTimePanelThinnest),
          height};
}

} // namespace

std::string fitted_end(std::string_view name, double width) {
  if (name.size() < 1000 && text_width(name) <= width) return std::string{name};
  const std::string_view dots = "…";
  std::size_t from = name.size();
  for (std::size_t at = name.size(); at-- > 0;) {
    if ((static_cast<unsigned char>(name[at]) & 0xC0) == 0x80) continue; // within a character
    if (text_width(dots) + text_width(name.substr(at)) > width) break;
    from = at;
  }
  return std::string{dots} + std::string{name.substr(from)};
}

Scale time_scale(const TimeSpan& span) {
  return {static_cast<double>(span.first), static_cast<double>(span.last), panel_left(),
          panel_left() + plot_width()};
}

void draw_time_axis(Svg& svg, const TimeSpan& span, double y, double height) {
  draw_bottom_axis(svg, time_scale(span), time_ticks(span, is_for_phone() ? 3 : 8), y, height);
}

PanelDrawing begin_panel(const TimePanel& panel, const ValueAxis& axis, double plot_height) {
  const double top = kAbovePlot;
  const double bottom = top + plot_height;
  PanelDrawing drawing{Svg(panel_width(), bottom + kTimeAxisHeight, panel.label),
                       time_scale(panel.span), Scale{0, axis.high, bottom, top}, top, bottom};
  draw_time_axis(drawing.svg, panel.span, bottom, plot_height);
  draw_left_axis(drawing.svg, drawing.y, axis.ticks, panel_left(), plot_width());
  return drawing;
}

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

/// Evaluation computes too: it has the paler blue.
Color lane_color(const std::string& name) {
  if (name == "TRAIN" || name == "PROFILED") return color_of(Meaning::compute);
  if (name == "EVAL") return color_of(Meaning::copy);
  if (name == "between steps") return color_of(Meaning::between);
  return color_of(Meaning::startup);
}

} // namespace

std::string phase_strip(const TimePanel& panel, const std::vector<Stretch>& stretches) {
  const std::vector<std::string> lanes = lanes_of(stretches);
  const double bottom = kPhaseStripTop + kPhaseStripPitch * static_cast<double>(lanes.size());
  Svg svg(panel_width(), bottom + kTimeAxisHeight, panel.label);
  const Scale x = time_scale(panel.span);
  draw_time_axis(svg, panel.span, bottom, bottom - kPhaseStripTop);
  for (std::size_t at = 0; at < lanes.size(); ++at)
    svg.text({panel_left() - 6, kPhaseStripTop + kPhaseStripPitch * static_cast<double>(at) + 11},
             fitted(lanes[at], panel_left() - 8), Anchor::end);
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

std::string lane_strip(const TimePanel& panel, const std::vector<Lane>& lanes) {
  const double bottom = kPhaseStripTop + kPhaseStripPitch * static_cast<double>(lanes.size());
  Svg svg(panel_width(), bottom + kTimeAxisHeight, panel.label);
  const Scale x = time_scale(panel.span);
  draw_time_axis(svg, panel.span, bottom, bottom - kPhaseStripTop);
  double y = kPhaseStripTop;
  for (const Lane& lane : lanes) {
    svg.text({panel_left() - 6, y + 10}, fitted(lane.name, panel_left() - 8, kLaneText),
             Anchor::end, kQuiet, kLaneText);
    for (const Lane::Stretch& stretch : lane.stretches)
      svg.rect(stretch_box(x, stretch.span, y + 2, kPhaseStripBar), lane.color, stretch.tip);
    y += kPhaseStripPitch;
  }
  return svg.finish();
}

} // namespace debrief::chart
