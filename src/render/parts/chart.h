// A chart of the page with its caption and legend.
#pragma once

#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::render {

/// What the marks in the drawing's `<g data-key="KEY">` are; the script can hide them.
struct LegendEntry {
  std::string key;
  std::string words;
  chart::Color color;
};

struct Chart {
  /// What it shows, in words; no two of a page may be alike.
  std::string caption;
  /// Of chart::Svg::finish().
  std::string svg;
  std::vector<LegendEntry> legend;
};

} // namespace debrief::render
