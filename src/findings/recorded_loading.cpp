#include "findings/recorded_loading.h"

#include <algorithm>

namespace debrief::findings {

namespace {

/// Steps of all processes, as the rules on steps counted them.
std::int64_t recorded_steps_seen(const std::vector<result::RuleRow>& rules) {
  std::int64_t most = 0;
  for (const result::RuleRow& row : rules)
    if (row.rule == "StepOutlier" || row.rule == "MaxInitializationTime")
      most = std::max(most, row.datapoints);
  return most;
}

} // namespace

std::optional<double> recorded_loading_share(const result::Result& result) {
  const result::DataLoading& loading = result.data_loading;
  if (loading.source != result::kFromRuleOutputs || loading.num_workers != 0) return std::nullopt;
  const auto load = std::find_if(loading.times.begin(), loading.times.end(),
                                 [](const auto& row) { return row.what == "load"; });
  if (load == loading.times.end() || !result.job.span || !result.job.training_loop_start)
    return std::nullopt;
  const double loop = in_seconds(result.job.span->last - *result.job.training_loop_start);
  const auto nodes = static_cast<double>(std::max<std::size_t>(result.job.nodes.size(), 1));
  const double steps = static_cast<double>(recorded_steps_seen(result.rules)) / nodes;
  if (loop <= 0 || steps <= 0) return std::nullopt;
  return std::min(load->p50 * steps / loop, 1.0);
}

} // namespace debrief::findings
