#include "aggregate/spans.h"
#include "findings/gpu_use.h"
#include "findings/make_ledger.h"
#include "findings/node_ledger.h"
#include "findings/series.h"
#include "util/parallel.h"

#include <algorithm>
#include <optional>

namespace debrief::findings {

namespace {

/// Of the GPUs that were used; 0 where none was.
double least_lost(const result::Timeline& timeline, const TimeSpan& loop) {
  std::optional<double> least;
  for (const result::NodeTimeline& node : timeline.nodes) {
    const result::MetricTimeline* gpu = find_metric(node, "GPU");
    if (gpu == nullptr) continue;
    for (const GpuUse& use : gpu_use(*gpu, loop))
      if (use.used) least = std::min(least.value_or(1), use.lost);
  }
  return least.value_or(0);
}

} // namespace

Ledger sampled_ledger(const result::Result& result, const Loop& loop,
                      std::span<const ProcessTime> processes) {
  const auto& nodes = result.timeline.nodes;
  const LedgerInput input{result, loop, processes, loop_shares(result),
                          least_lost(result.timeline, loop.span)};
  std::vector<NodeLedger> parts(nodes.size());
  parallel_for(nodes.size(), [&](std::size_t i) { parts[i] = node_ledger(input, nodes[i]); });

  Ledger ledger;
  for (NodeLedger& part : parts) {
    std::move(part.accounts.begin(), part.accounts.end(), std::back_inserter(ledger.accounts));
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      ledger.windows[cause].insert(ledger.windows[cause].end(), part.windows[cause].begin(),
                                   part.windows[cause].end());
  }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::samples;
  ledger.without_collectives = input.shares.on_gpu_of_busy > 0;
  for (std::vector<TimeSpan>& windows : ledger.windows)
    windows = aggregate::merged(std::move(windows));
  for (const result::NodeTimeline& node : nodes)
    if (const result::MetricTimeline* gpu = find_metric(node, "GPU"))
      ledger.samples = std::max(ledger.samples, static_cast<std::int64_t>(gpu->times.size()));
  split_imbalance(ledger.accounts);
  return ledger;
}

} // namespace debrief::findings
