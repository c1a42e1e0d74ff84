// The ledger of a job without GPUs that recorded no steps: time in which its cores work is work.
#include "findings/host.h"
#include "findings/make_ledger.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "util/span_set.h"

#include <algorithm>

namespace debrief::findings {

namespace {

void add_node(const result::NodeTimeline& node, const result::MetricTimeline& cpu, double paid,
              Ledger& ledger) {
  const Intervals intervals{cpu.times};
  Host host{node, 1};
  Account account;
  account.node = node.node;
  for (std::size_t i = 0; i < cpu.times.size(); ++i) {
    const TimeSpan span = intervals.of(i);
    const double seconds = in_seconds(span.length());
    const HostState state = host.at(cpu.times[i]);
    account.in_loop += seconds;
    if (state.waits_for_storage()) {
      account.lost[index_of(Cause::io)] += seconds;
      ledger.windows[index_of(Cause::io)].push_back(span);
    } else if (state.working_cores.value_or(0) >= thresholds::kWorkingCores) {
      account.busy += seconds;
    } else {
      account.lost[index_of(Cause::unexplained)] += seconds;
    }
  }
  account.busy_in_loop = account.busy;
  account.paid = std::max(paid, account.in_loop);
  account.unmeasured = account.paid - account.in_loop;
  ledger.accounts.push_back(account);
}

} // namespace

Ledger core_ledger(const result::Result& result) {
  Ledger ledger;
  const double paid = result.job.span ? in_seconds(result.job.span->length()) : 0;
  for (const result::NodeTimeline& node : result.timeline.nodes)
    if (const result::MetricTimeline* cpu = find_metric(node, "CPU")) {
      add_node(node, *cpu, paid, ledger);
      ledger.samples = std::max(ledger.samples, static_cast<std::int64_t>(cpu->times.size()));
    }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::cores;
  for (std::vector<TimeSpan>& windows : ledger.windows)
    windows = aggregate::merged(std::move(windows));
  return ledger;
}

} // namespace debrief::findings
