#include "render/usage_view.h"

#include "render/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

/// Where a percentage stands between 0 and 100, for the bar beside its row; other units have no
/// such scale.
json usage_bar(const result::UsageRow& row) {
  if (row.unit != "%") return nullptr;
  return {{"p50", fmt::format("{:.1f}", row.p50)}, {"p95", fmt::format("{:.1f}", row.p95)}};
}

/// One sentence per set of metrics that some nodes lack: "algo-1, algo-2 recorded no GPU, no I/O."
json missing_metrics(const std::vector<result::NodeSampling>& nodes) {
  std::map<std::vector<std::string>, std::vector<std::string>> nodes_by_lack;
  for (const result::NodeSampling& node : nodes)
    if (!node.not_recorded.empty())
      nodes_by_lack[node.not_recorded].push_back(printable(node.node));
  json sentences = json::array();
  for (const auto& [lack, names] : nodes_by_lack)
    sentences.push_back(
        fmt::format("{} recorded no {}.", fmt::join(names, ", "), fmt::join(lack, ", no ")));
  return sentences;
}

} // namespace

json usage_view(const result::Result& result) {
  json rows = json::array();
  for (const result::UsageRow& row : result.system_usage) {
    rows.push_back({{"node", printable(row.node)},
                    {"metric", row.metric},
                    {"unit", row.unit},
                    {"max", in_unit(row.max, row.unit)},
                    {"p99", in_unit(row.p99, row.unit)},
                    {"p95", in_unit(row.p95, row.unit)},
                    {"p50", in_unit(row.p50, row.unit)},
                    {"min", in_unit(row.min, row.unit)},
                    {"bar", usage_bar(row)}});
  }
  return {{"rows", rows}, {"missing", missing_metrics(result.data_quality.nodes)}};
}

} // namespace debrief::render
