#include "render/parts/iteration_split.h"

#include "chart/meaning.h"
#include "chart/stacked.h"
#include "render/parts/format.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

constexpr std::size_t kFewestIterations = 3;

/// Means over as many neighbors as there are iterations for each column.
struct Split {
  double wait = 0; ///< seconds from the end of the step before
  double step = 0;
};

std::vector<Split> splits_of(const std::vector<result::StepMark>& steps) {
  std::vector<Split> out;
  for (std::size_t at = 1; at < steps.size(); ++at)
    out.push_back(
        {std::max(0.0, in_seconds(steps[at].start - steps[at - 1].start - steps[at - 1].duration)),
         in_seconds(steps[at].duration)});
  return out;
}

/// What the time before steps is: data loading where that is what the job lost most of it to.
chart::ShareKind wait_kind(const result::Result& result) {
  const bool data =
      std::any_of(result.findings.begin(), result.findings.end(), [](const auto& finding) {
        return finding.kind == result::FindingKind::input_bound;
      });
  return data ? chart::ShareKind{"waiting on data", chart::color_of(Meaning::data)}
              : chart::ShareKind{"between steps", chart::color_of(Meaning::between)};
}

} // namespace

std::optional<Chart> iteration_split(const result::Result& result) {
  const result::StepTimeline* most = nullptr;
  for (const result::StepTimeline& steps : result.timeline.steps)
    if (most == nullptr || steps.steps.size() > most->steps.size()) most = &steps;
  if (most == nullptr || most->steps.size() <= kFewestIterations) return std::nullopt;
  const std::vector<Split> splits = splits_of(most->steps);
  const std::size_t columns = std::min(splits.size(), chart::kMaxStackedColumns);
  chart::Stacked chart;
  chart.kinds = {{truncate(most->mode) + " step", chart::color_of(Meaning::compute)},
                 wait_kind(result)};
  chart.values.resize(2);
  for (std::size_t column = 0; column < columns; ++column) {
    const std::size_t from = column * splits.size() / columns;
    const std::size_t to = (column + 1) * splits.size() / columns;
    Split sum;
    for (std::size_t at = from; at < to; ++at) {
      sum.wait += splits[at].wait;
      sum.step += splits[at].step;
    }
    const auto count = static_cast<double>(to - from);
    chart.edges.push_back(static_cast<double>(from));
    chart.values[0].push_back(sum.step / count);
    chart.values[1].push_back(sum.wait / count);
    const std::string which = to - from == 1
                                  ? fmt::format("iteration {}", from + 1)
                                  : fmt::format("iterations {} to {}, means", from + 1, to);
    chart.tips.push_back(fmt::format("{}: {}\nstep {}\n{} {}", which,
                                     to_human_duration((sum.step + sum.wait) / count),
                                     to_human_duration(sum.step / count), chart.kinds[1].name,
                                     to_human_duration(sum.wait / count)));
  }
  chart.edges.push_back(static_cast<double>(splits.size()));
  chart.x_ticks = chart::count_ticks(static_cast<double>(splits.size()), 6);
  std::string caption = fmt::format("Time of each iteration, {}", truncate(most->process));
  if (columns < splits.size()) caption += fmt::format(", means of {}", splits.size() / columns);
  chart.label = caption;
  std::vector<LegendEntry> legend;
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind)
    legend.push_back({std::to_string(kind), chart.kinds[kind].name, chart.kinds[kind].color});
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

} // namespace debrief::render
