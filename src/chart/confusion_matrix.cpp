#include "chart/confusion_matrix.h"

#include "chart/words.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace debrief::chart {

namespace {

constexpr double kConfusionTop = 36; ///< "Predicted" and the classes' names
constexpr double kConfusionWidest = 110;
constexpr double kConfusionTallest = 44;
constexpr double kConfusionFlattest = 12;
constexpr double kNoneOpacity = 0.06;   ///< of a cell without rows
constexpr double kFaintOpacity = 0.14;  ///< of one with the first
constexpr double kUponStrongFrom = 0.6; ///< opacity from which words are in the paper's color

/// 1234567 -> "1.2M", where the whole number has no room.
std::string short_count(std::int64_t count, double width) {
  std::string text = count_text(count);
  if (text_width(text) <= width) return text;
  const auto value = static_cast<double>(count);
  text = count >= 1'000'000 ? fmt::format("{:.1f}M", value / 1e6)
                            : fmt::format("{:.0f}k", value / 1e3);
  return text_width(text) <= width ? text : std::string{};
}

struct ConfusionCells {
  double left = 0;
  double width = 0;
  double height = 0;

  Box at(std::size_t row, std::size_t column) const {
    return {left + width * static_cast<double>(column),
            kConfusionTop + height * static_cast<double>(row), width - 1, height - 1};
  }
};

ConfusionCells confusion_cells(std::size_t classes) {
  ConfusionCells out;
  out.left = by_width(120, 76);
  const auto count = static_cast<double>(std::max<std::size_t>(classes, 1));
  out.width = std::min((chart_width() - out.left - 4) / count, kConfusionWidest);
  out.height = std::clamp(out.width * 0.62, kConfusionFlattest, kConfusionTallest);
  return out;
}

void draw_confusion_cell(Svg& svg, const ConfusionMatrix& chart, const Box& box, std::size_t row,
                         std::size_t column) {
  const std::int64_t count = chart.counts[row][column];
  const std::int64_t all =
      std::accumulate(chart.counts[row].begin(), chart.counts[row].end(), std::int64_t{0});
  const double share =
      all > 0 ? std::clamp(static_cast<double>(count) / static_cast<double>(all), 0.0, 1.0) : 0;
  const double opacity = count > 0 ? kFaintOpacity + (1 - kFaintOpacity) * share : kNoneOpacity;
  Path path;
  path.box(box.x, box.y, box.width, box.height);
  svg.open_tip(fmt::format("label {}, predicted {}: {} rows, {} of the label",
                           tip_name(chart.classes[row]), tip_name(chart.classes[column]),
                           count_text(count), exact_percent_text(100 * share)));
  svg.fill_path(path.text(), row == column ? kRightCell : kWrongCell, opacity);
  if (box.height >= kConfusionFlattest)
    if (const std::string words = short_count(count, box.width - 4); !words.empty())
      svg.text({box.x + box.width / 2, box.y + box.height / 2 + 4}, words, Anchor::middle,
               opacity >= kUponStrongFrom ? kPaper : kInk);
  svg.close();
}

} // namespace

std::string draw(const ConfusionMatrix& chart) {
  const std::size_t count = chart.classes.size();
  const ConfusionCells cells = confusion_cells(count);
  Svg svg(chart_width(), kConfusionTop + cells.height * static_cast<double>(count) + 4,
          chart.label);
  svg.text({cells.left, 12}, "predicted");
  svg.text({cells.left - 8, kConfusionTop - 8}, "label", Anchor::end);
  for (std::size_t row = 0; row < count; ++row) {
    const Box first = cells.at(row, 0);
    svg.text({cells.left - 8, first.y + first.height / 2 + 4},
             fitted(chart.classes[row], cells.left - 12), Anchor::end, kInk);
  }
  double free = 0; // where the next name of a column has room
  for (std::size_t column = 0; column < count; ++column) {
    const std::string name = shortened(chart.classes[column], 12);
    const double x = cells.at(0, column).x + cells.width / 2;
    const double half = text_width(name) / 2;
    if (x - half < free) continue;
    svg.text({x, kConfusionTop - 8}, name, Anchor::middle, kInk);
    free = x + half + 4;
  }
  for (const bool right : {true, false}) {
    svg.open(right ? "0" : "1");
    for (std::size_t row = 0; row < count; ++row)
      for (std::size_t column = 0; column < count; ++column)
        if ((row == column) == right)
          draw_confusion_cell(svg, chart, cells.at(row, column), row, column);
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart
