// A chart of the page with its caption and legend.
#pragma once

#include "chart/svg.h"
#include "chart/width.h"

#include <string>
#include <utility>
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
  /// The same as wide as a phone; empty: `svg` is made smaller there.
  std::string phone = {};
  /// JSON from which the script draws training curves anew (assets/src/curves/data.ts); empty:
  /// none.
  std::string curves = {};
  /// Whether a click on a bar makes it as wide as the drawing (assets/src/charts/icicle.ts).
  bool zooms = false;
  /// The heading under which it is folded away with its neighbors of the same group, each small;
  /// empty: it stands on its own.
  std::string group = {};
};

/// A chart that `draw` makes, for a page and for a phone; one that is narrow anyway fits both.
template <typename Draw>
Chart drawn_chart(std::string caption, const Draw& draw, std::vector<LegendEntry> legend) {
  Chart out{std::move(caption), draw(), std::move(legend)};
  if (chart::is_narrow()) return out;
  const chart::ForPhone phone;
  out.phone = draw();
  return out;
}

} // namespace debrief::render
