// A drawing of the page with its caption and legend, as templates/parts/figure.html wants it.
#pragma once

#include "chart/svg.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace debrief::render {

/// What the marks in the drawing's `<g data-key="KEY">` are; the script can hide them.
struct LegendEntry {
  std::string key;
  std::string words;
  chart::Color color;
};

struct Figure {
  std::string caption; ///< what it shows, in words; no two of a page may be alike
  std::string svg;     ///< of chart::Svg::finish()
  std::vector<LegendEntry> legend;

  nlohmann::json view() const;
};

} // namespace debrief::render
