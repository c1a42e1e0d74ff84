#include "render/usage_view.h"

#include "render/cells.h"
#include "render/format.h"
#include "render/section.h"
#include "render/usage_words.h"
#include "util/text.h"

#include <fmt/format.h>

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
                                                         {std::string{kSpreadHead}, Kind::bar}});
  // Only percentages have a scale to draw them on.
  for (const result::UsageRow& row : result.system_usage)
    table.add({printable(row.node), row.metric, row.unit, usage_cell(row.max, row.unit),
               usage_cell(row.p99, row.unit), usage_cell(row.p95, row.unit),
               usage_cell(row.p50, row.unit), usage_cell(row.min, row.unit),
               row.unit == "%" ? spread_bar(row.p50, row.p95) : ""});
  section.show(table);
  note_missing(section, result.data_quality.nodes);
  return section.view();
}

} // namespace debrief::render
