#include "render/sections/system_usage.h"

#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/sections/usage_words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

/// One sentence per set of metrics that some nodes lack: "algo-1, algo-2 recorded no GPU, no I/O."
void note_missing(Section& section, const std::vector<result::NodeSampling>& nodes) {
  std::map<std::vector<std::string>, std::vector<std::string>> nodes_by_lack;
  for (const result::NodeSampling& node : nodes)
    if (!node.not_recorded.empty())
      nodes_by_lack[node.not_recorded].push_back(printable(node.node));
  for (const auto& [lack, names] : nodes_by_lack)
    section.note(
        fmt::format("{} recorded no {}.", fmt::join(names, ", "), fmt::join(lack, ", no ")));
}

constexpr const char* kDistributionHead = "min–max pale, p50–p99 strong";

/// Wide enough to be seen, where a resource was used evenly.
double visible(double width) {
  return std::max(width, 1.0);
}

Cell distribution_bar(const result::UsageRow& row) {
  return {
      fmt::format("least {:.1f} %, median {:.1f} %, 99th percentile {:.1f} %, greatest {:.1f} %",
                  row.min, row.p50, row.p99, row.max),
      {{row.min, visible(row.max - row.min), true},
       {std::min(row.p50, 99.0), visible(row.p99 - row.p50)}}};
}

} // namespace

json usage_view(const result::Result& result) {
  if (result.system_usage.empty())
    return missing(
        "No system metrics: the job has neither SageMaker system metrics "
        "(profiler-output/system) nor an OverallSystemUsage.json. Turn on the profiler's "
        "system monitoring to record them.");
  Section section;
  for (const std::string& sentence : usage_sentences(result.system_usage))
    section.say(sentence);
  Table table("Percentiles over all samples, per node", {{"Node", Kind::head},
                                                         {"Metric"},
                                                         {"Unit"},
                                                         {"max", Kind::number},
                                                         {"p99", Kind::number},
                                                         {"p95", Kind::number},
                                                         {"p50", Kind::number},
                                                         {"min", Kind::number},
                                                         {kDistributionHead, Kind::bar}});
  // Only percentages have a scale to draw them on.
  for (const result::UsageRow& row : result.system_usage)
    table.add({printable(row.node), row.metric, row.unit, usage_cell(row.max, row.unit),
               usage_cell(row.p99, row.unit), usage_cell(row.p95, row.unit),
               usage_cell(row.p50, row.unit), usage_cell(row.min, row.unit),
               row.unit == "%" ? distribution_bar(row) : ""});
  section.show(table);
  note_missing(section, result.data_quality.nodes);
  return section.view();
}

} // namespace debrief::render
