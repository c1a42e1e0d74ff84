#include "chart/icicle.h"

#include "chart/time_panel.h"
#include "chart/words.h"

#include <algorithm>
#include <numeric>

namespace debrief::chart {

namespace {

constexpr double kIcicleRow = 19;
constexpr double kIcicleBar = 18;
constexpr double kIcicleNamed = 30; ///< pixels from which a bar has its name
constexpr double kIcicleSeen = 0.6; ///< pixels from which a bar is drawn

struct LaidBar {
  double x = 0;
  double width = 0;
  std::size_t row = 0;
  double used = 0; ///< by what was put inside of it
};

} // namespace

std::string draw(const Icicle& chart) {
  const double width = panel_width();
  std::vector<std::size_t> order(chart.bars.size());
  std::iota(order.begin(), order.end(), 0U);
  // Parents come first in the list, so that the widest of each can be laid out one after the other.
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const IcicleBar& one = chart.bars[a];
    const IcicleBar& two = chart.bars[b];
    return one.parent != two.parent ? one.parent < two.parent : one.value > two.value;
  });
  std::vector<LaidBar> laid(chart.bars.size());
  double used = 0; // by the outermost
  std::size_t rows = 1;
  for (const std::size_t at : order) {
    const IcicleBar& bar = chart.bars[at];
    LaidBar& own = laid[at];
    own.width = chart.whole > 0 ? std::max(bar.value, 0.0) / chart.whole * width : 0;
    if (bar.parent < 0) {
      own.x = used;
      used += own.width;
    } else {
      LaidBar& parent = laid[static_cast<std::size_t>(bar.parent)];
      own.x = parent.x + parent.used;
      own.width = std::min(own.width, parent.width - parent.used);
      own.row = parent.row + 1;
      parent.used += own.width;
    }
    if (own.width >= kIcicleSeen) rows = std::max(rows, own.row + 1);
  }
  Svg svg(width, kIcicleRow * static_cast<double>(rows), chart.label);
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind) {
    svg.open(std::to_string(kind));
    for (const std::size_t at : order) {
      const IcicleBar& bar = chart.bars[at];
      const LaidBar& own = laid[at];
      if (bar.kind != kind || own.width < kIcicleSeen) continue;
      const double top = kIcicleRow * static_cast<double>(own.row);
      svg.open_tip(bar.tip);
      svg.rect({own.x, top, std::max(own.width - 1, 0.5), kIcicleBar}, chart.kinds[kind].color);
      if (own.width >= kIcicleNamed)
        svg.text({own.x + 4, top + 13}, fitted(bar.name, own.width - 8), Anchor::start,
                 upon(chart.kinds[kind].color));
      svg.close();
    }
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart
