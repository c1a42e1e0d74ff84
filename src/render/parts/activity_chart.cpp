#include "render/parts/activity_chart.h"

#include "chart/paired_bars.h"
#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace debrief::render {

namespace {

constexpr std::size_t kDrawnOfGroup = 5;

/// In the order in which a reader goes from the whole to the single.
constexpr std::array<std::string_view, 5> kOrder = {"phase", "general", "collective",
                                                    "cpu_operator", "gpu_operator"};

std::size_t place_of(const std::string& group) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), group) - kOrder.begin());
}

} // namespace

std::string group_words(const std::string& group) {
  if (group == "phase") return "Phase";
  if (group == "cpu_operator") return "CPU operator";
  if (group == "gpu_operator") return "GPU operator";
  if (group == "general") return "General operation";
  if (group == "collective") return "Collective";
  return printable(group);
}

std::optional<double> difference(const result::ActivityRow& row) {
  if (!row.outside_percent) return std::nullopt;
  return row.inside_percent - *row.outside_percent;
}

std::optional<Figure> activity_figure(const result::Activity& activity, std::string_view during) {
  if (activity.empty()) return std::nullopt;
  std::vector<result::ActivityRow> rows = activity.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    const auto place_a = place_of(a.group);
    const auto place_b = place_of(b.group);
    return place_a != place_b ? place_a < place_b : difference(a) > difference(b);
  });
  chart::PairedChart chart;
  chart.first = fmt::format("during {}", during);
  chart.second = "otherwise";
  bool cut = false;
  std::string told;
  for (const result::ActivityRow& row : rows) {
    const std::string group = group_words(row.group);
    if (chart.groups.empty() || chart.groups.back().name != group)
      chart.groups.push_back({group, {}});
    auto& pairs = chart.groups.back().rows;
    if (pairs.size() == kDrawnOfGroup) {
      cut = true;
      continue;
    }
    if (pairs.empty()) // of each group the first, which differs most
      told += fmt::format("{}{} {:.1f} % against {}", told.empty() ? ": " : "; ", brief(row.name),
                          row.inside_percent,
                          row.outside_percent ? fmt::format("{:.1f} %", *row.outside_percent)
                                              : "not recorded");
    pairs.push_back({printable(row.name), row.inside_percent, row.outside_percent});
  }
  std::string caption =
      fmt::format("Share of the time at which work ran during {}, and otherwise", during);
  if (cut) caption += fmt::format("; of each kind the {} that differ most", kDrawnOfGroup);
  chart.label = caption + told;
  return Figure{
      std::move(caption),
      draw(chart),
      {{"0", chart.first, chart::kFirstOfPair}, {"1", chart.second, chart::kSecondOfPair}}};
}

} // namespace debrief::render
