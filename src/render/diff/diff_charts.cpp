#include "render/diff/diff_charts.h"

#include "chart/bars.h"
#include "render/diff/diff_words.h"
#include "render/parts/curve_chart.h"
#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace debrief::render {

namespace {

using compare::Change;
using compare::ChangeKind;

constexpr std::size_t kMaxDiffBars = 12;

chart::ChangeKind kind_of(ChangeKind word) {
  return word == ChangeKind::worse      ? chart::ChangeKind::worse
         : word == ChangeKind::improved ? chart::ChangeKind::improved
                                        : chart::ChangeKind::other;
}

} // namespace

std::vector<const Change*> largest_changes(const compare::Diff& diff) {
  std::vector<const Change*> out;
  for (const Change& change : diff.figures)
    if (change.word != ChangeKind::no_change && change.word != ChangeKind::incomparable &&
        change.before.name.find('[') == std::string::npos)
      out.push_back(&change);
  std::stable_sort(out.begin(), out.end(), [](const Change* a, const Change* b) {
    return compare::rank_of(*a) < compare::rank_of(*b);
  });
  return out;
}

std::optional<Chart> changes_chart(const compare::Diff& diff) {
  chart::ChangeBars bars;
  std::array<bool, 3> there{};
  for (const Change* change : largest_changes(diff)) {
    // A count of steps says how long the job was, not how it ran.
    if (change->word == ChangeKind::changed || change->before.value < 0 || change->after.value < 0)
      continue;
    if (bars.rows.size() == kMaxDiffBars) break;
    const chart::ChangeKind kind = kind_of(change->word);
    there[static_cast<std::size_t>(kind)] = true;
    bars.rows.push_back(
        {change->before.label, change->before.value, change->after.value, from_to(*change), kind});
  }
  if (bars.rows.empty()) return std::nullopt;
  const std::string caption = fmt::format("Largest changes as factors ({})", bars.rows.size());
  bars.label = caption;
  std::vector<LegendEntry> legend;
  for (const chart::ChangeKind kind : {chart::ChangeKind::worse, chart::ChangeKind::improved})
    if (there[static_cast<std::size_t>(kind)])
      legend.push_back({std::to_string(static_cast<int>(kind)),
                        kind == chart::ChangeKind::worse ? "worse" : "improved",
                        chart::color_of(kind)});
  return drawn_chart(
      caption, [&] { return chart::draw(bars); }, std::move(legend));
}

std::vector<Chart> step_diff_charts(const compare::Diff& diff) {
  std::vector<Chart> out;
  for (const compare::StepShape& shape : diff.steps) {
    if (out.size() == kMaxStepCharts) break;
    const std::vector<HistogramPart> parts = {{"before", &shape.before, {}},
                                              {"after", &shape.after, {}}};
    const std::string caption = fmt::format("{} step time, slowest process", truncate(shape.mode));
    if (auto figure =
            histogram_chart({caption, chart::HistogramUnit::seconds, "step", true}, parts))
      out.push_back(std::move(*figure));
  }
  return out;
}

std::optional<Chart> loss_diff_chart(const compare::Diff& diff) {
  std::vector<CurvePart> parts;
  for (const compare::LossCurve& loss : diff.losses)
    parts.push_back(
        {fmt::format("{}: {}", loss.is_before ? "before" : "after", printable(loss.curve.name)),
         &loss.curve});
  return curve_chart("Loss of both jobs", std::move(parts));
}

} // namespace debrief::render
