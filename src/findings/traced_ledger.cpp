// The ledger of a job that has PyTorch traces and no samples: of the time that was profiled.
#include "findings/loop_shares.h"
#include "findings/make_ledger.h"

#include <algorithm>
#include <map>

namespace debrief::findings {

namespace {

/// Microseconds that the processes' profiled steps spent in the data loader.
std::map<std::string, double> loading_us(const result::Traces& traces) {
  std::map<std::string, double> out;
  for (const result::ProcessBreakdown& process : traces.processes)
    for (const result::StepPart& part : process.parts)
      if (part.part == "data loader") out[process.process] = part.us;
  return out;
}

std::map<std::string, std::string> nodes_of(const result::Traces& traces) {
  std::map<std::string, std::string> out;
  for (const result::TraceFile& file : traces.files)
    out[file.process] = file.node;
  return out;
}

} // namespace

Ledger traced_ledger(const result::Result& result) {
  Ledger ledger;
  const result::Traces& traces = result.traces;
  const LoopShares shares = loop_shares(result);
  const auto loading = loading_us(traces);
  const auto nodes = nodes_of(traces);
  const double span = result.job.span ? in_seconds(result.job.span->length()) : 0;
  for (const result::GpuActivity& gpu : traces.gpus) {
    if (gpu.profiled_us <= 0) continue;
    Account account;
    account.node = nodes.contains(gpu.process) ? nodes.at(gpu.process) : "";
    account.device = "gpu" + std::to_string(gpu.device);
    account.in_loop = gpu.profiled_us / 1e6;
    const double waiting = gpu.busy_us / 1e6 * shares.on_gpu_of_busy;
    account.busy = gpu.busy_us / 1e6 - waiting;
    account.busy_in_loop = account.busy;
    double left = std::max(0.0, account.in_loop - gpu.busy_us / 1e6);
    const auto give = [&](Cause cause, double seconds) {
      const double taken = std::clamp(seconds, 0.0, left);
      account.lost[index_of(cause)] += taken;
      left -= taken;
    };
    give(Cause::input, loading.contains(gpu.process) ? loading.at(gpu.process) / 1e6 : 0);
    give(Cause::communication, account.in_loop * shares.communication);
    give(Cause::unexplained, left);
    account.lost[index_of(Cause::communication)] += waiting;
    account.paid = std::max(span, account.in_loop);
    account.unmeasured = account.paid - account.in_loop;
    ledger.accounts.push_back(account);
  }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::traces;
  split_imbalance(ledger.accounts);
  return ledger;
}

} // namespace debrief::findings
