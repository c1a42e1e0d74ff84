#include "render/sections/step_charts.h"

#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace debrief::render {

namespace {

constexpr std::size_t kMaxModes = 3;

using Rows = std::vector<const result::StepRow*>;

std::vector<std::pair<std::string, Rows>> by_mode(const std::vector<result::StepRow>& steps) {
  std::vector<std::pair<std::string, Rows>> out;
  for (const result::StepRow& row : steps) {
    if (row.histogram.empty()) continue;
    const auto found = std::find_if(out.begin(), out.end(),
                                    [&](const auto& mode) { return mode.first == row.mode; });
    if (found == out.end())
      out.push_back({row.mode, {&row}});
    else
      found->second.push_back(&row);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  if (out.size() > kMaxModes) out.resize(kMaxModes);
  return out;
}

/// The fastest and the slowest by their means, fastest first.
Rows ends_of(Rows rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->mean < b->mean; });
  const auto half = static_cast<std::ptrdiff_t>(chart::kSeries / 2);
  rows.erase(rows.begin() + half, rows.end() - half);
  return rows;
}

std::string caption_of(const std::string& mode, const Rows& drawn, std::size_t of) {
  std::string out = fmt::format("How long {} steps took", brief(mode));
  if (drawn.size() < of)
    out += fmt::format("; the {} fastest and the {} slowest of {} processes", drawn.size() / 2,
                       drawn.size() / 2, grouped(static_cast<std::int64_t>(of)));
  std::int64_t outliers = 0;
  bool limited = false;
  for (const result::StepRow* row : drawn) {
    outliers += row->outliers.value_or(0);
    limited = limited || row->threshold;
  }
  const char* lines = drawn.size() == 1 ? "line" : "lines";
  if (limited)
    out += outliers > 0 ? fmt::format("; {} beyond the dashed {} {} not in it",
                                      counted(outliers, "outlying step"), lines,
                                      outliers == 1 ? "is" : "are")
                        : fmt::format("; none is beyond the dashed {}", lines);
  return out;
}

} // namespace

std::vector<Figure> step_figures(const std::vector<result::StepRow>& steps) {
  std::vector<Figure> out;
  for (const auto& [mode, rows] : by_mode(steps)) {
    const Rows drawn = rows.size() > chart::kSeries ? ends_of(rows) : rows;
    std::vector<HistogramPart> parts;
    for (const result::StepRow* row : drawn)
      parts.push_back({printable(row->process), &row->histogram, row->threshold});
    if (auto figure = histogram_figure(
            {caption_of(mode, drawn, rows.size()), chart::HistogramUnit::seconds, "step"}, parts))
      out.push_back(std::move(*figure));
  }
  return out;
}

} // namespace debrief::render
