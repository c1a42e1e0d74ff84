#include "findings/loop_shares.h"

#include "findings/trace_evidence.h"

#include <algorithm>
#include <map>
#include <string>

namespace debrief::findings {

namespace {

/// Share of the profiled steps that the data loader takes, mean over processes.
double profiled_loading(const result::Traces& traces) {
  double share = 0;
  double processes = 0;
  for (const result::ProcessBreakdown& process : traces.processes) {
    if (process.us <= 0) continue;
    ++processes;
    for (const result::StepPart& part : process.parts)
      if (part.part == "data loader") share += part.us / process.us;
  }
  return processes > 0 ? share / processes : 0;
}

void add_communication(const result::Traces& traces, LoopShares& shares) {
  std::map<std::string, double> on_gpu_us;
  std::map<std::string, double> on_host_us;
  for (const result::CollectiveRow& row : traces.communication.collectives)
    (row.where == "GPU" ? on_gpu_us : on_host_us)[row.process] += row.total_us;
  std::map<std::string, double> busy_us;
  for (const result::GpuActivity& gpu : traces.gpus)
    busy_us[gpu.process] += gpu.working_us();
  double processes = 0;
  for (const result::OverlapRow& row : traces.communication.overlap) {
    if (row.profiled_us <= 0) continue;
    ++processes;
    if (on_gpu_us[row.process] <= on_host_us[row.process])
      shares.communication =
          std::max(shares.communication, std::min(row.exposed_us / row.profiled_us, 1.0));
    else if (busy_us[row.process] > 0)
      shares.on_gpu_of_busy += std::min(row.exposed_us / busy_us[row.process], 1.0);
  }
  if (processes > 0) shares.on_gpu_of_busy /= processes;
}

/// What the host does to its GPUs, mean over these.
void add_waits(const result::Traces& traces, LoopShares& shares) {
  double gpus = 0;
  for (const result::GpuActivity& gpu : traces.gpus) {
    if (gpu.profiled_us <= 0) continue;
    ++gpus;
    shares.compile += std::min(gpu.setup_wait_us / gpu.profiled_us, 1.0);
    shares.copy += std::min((gpu.copy_alone_us + gpu.copy_wait_us) / gpu.profiled_us, 1.0);
    shares.sync += std::min(gpu.host_sync_us / gpu.profiled_us, 1.0);
    shares.outside += std::min(gpu.outside_wait_us / gpu.profiled_us, 1.0);
  }
  if (gpus <= 0) return;
  for (double* share : {&shares.compile, &shares.copy, &shares.sync, &shares.outside})
    *share /= gpus;
}

} // namespace

LoopShares loop_shares(const result::Result& result) {
  LoopShares shares;
  const auto recorded = recorded_loading_share(result);
  shares.input = recorded.value_or(0);
  if (shows_setup(result.traces)) return shares; // its steps do not stand for the others
  add_communication(result.traces, shares);
  add_waits(result.traces, shares);
  if (!recorded) shares.input = profiled_loading(result.traces);
  return shares;
}

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
  const auto load = std::find_if(loading.times.begin(), loading.times.end(), [](const auto& row) {
    return row.what == result::LoadKind::load;
  });
  if (load == loading.times.end() || !result.job.span || !result.job.training_loop_start)
    return std::nullopt;
  const double loop = in_seconds(result.job.span->last - *result.job.training_loop_start);
  const auto nodes = static_cast<double>(std::max<std::size_t>(result.job.nodes.size(), 1));
  const double steps = static_cast<double>(recorded_steps_seen(result.rules)) / nodes;
  if (loop <= 0 || steps <= 0) return std::nullopt;
  return std::min(load->p50 * steps / loop, 1.0);
}

} // namespace debrief::findings
