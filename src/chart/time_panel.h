// The frame that all drawings over time share: the same width, the same plot between the same
// margins, the same time axis below, so that a moment lies on one vertical line through all of
// them.
#pragma once

#include "chart/axis.h"
#include "chart/svg.h"
#include "util/time.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::chart {

inline constexpr double kPanelWidth = 1040;
inline constexpr double kPanelLeft = 100; ///< room for labels of values, rows and lanes
inline constexpr double kPanelRight = 80; ///< room for names of lines
inline constexpr double kPlotWidth = kPanelWidth - kPanelLeft - kPanelRight;
inline constexpr double kTimeAxisHeight = 22;

/// The same lengths, of a page's drawing or of a phone's, where names of lines are in the legend.
inline double panel_width() {
  return by_width(kPanelWidth, kPhoneWidth);
}

inline double panel_left() {
  return by_width(kPanelLeft, 50);
}

inline double panel_right() {
  return by_width(kPanelRight, 20);
}

inline double plot_width() {
  return panel_width() - panel_left() - panel_right();
}

/// When something of interest held.
struct Lane {
  struct Stretch {
    TimeSpan span;
    std::string tip;
  };

  std::string name;
  std::vector<Stretch> stretches;
  Color color = kRest;
};

struct TimePanel {
  std::string label; ///< what the drawing shows, in words
  TimeSpan span;     ///< of the whole plot
};

struct ValueAxis {
  double high = 1; ///< values go from 0 to here
  std::vector<Tick> ticks;
};

/// A panel while it is drawn: axes are there; marks go on top.
struct PanelDrawing {
  Svg svg;
  Scale x; ///< from microseconds since the epoch
  Scale y; ///< from values
  double top = 0;
  double bottom = 0;
};

PanelDrawing begin_panel(const TimePanel& panel, const ValueAxis& axis, double plot_height);

Scale time_scale(const TimeSpan& span);

/// A name where it has room, else "…" and its end: names of hosts and processes differ there.
std::string fitted_end(std::string_view name, double width);

void draw_time_axis(Svg& svg, const TimeSpan& span, double y, double height);

// The stretches of a job along the time axis, a lane for each kind of stretch.

struct Stretch {
  std::string name; ///< stretches of one name share a lane
  TimeSpan span;
  std::string tip;
};

/// Lanes are in the order in which their names first appear; what has a name beyond these is in one
/// lane "others".
inline constexpr std::size_t kMaxLanes = 6;

std::string phase_strip(const TimePanel& panel, const std::vector<Stretch>& stretches);

/// A lane below the other, each with its name, over a time axis.
std::string lane_strip(const TimePanel& panel, const std::vector<Lane>& lanes);

} // namespace debrief::chart
