// The host waits for the GPU inside of steps, and the GPU runs out of work: .item(), copies that
// block, cudaStreamSynchronize.
#include "findings/detectors/detectors.h"
#include "findings/words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

/// The waits that block a process longest, over all calls of one place in the code.
const result::SyncRow* longest_wait(const result::Traces& traces) {
  const auto longest = std::max_element(
      traces.syncs.begin(), traces.syncs.end(),
      [](const result::SyncRow& a, const result::SyncRow& b) { return a.us < b.us; });
  return longest == traces.syncs.end() ? nullptr : &*longest;
}

double profiled_us(const result::Traces& traces, const std::string& process) {
  for (const result::ProcessBreakdown& row : traces.processes)
    if (row.process == process) return row.us;
  return 0;
}

/// "aten::copy_ inside "## sparse_data_dist ##"", or the call where no operator is around it.
std::string place_of(const result::SyncRow& wait) {
  std::string text = printable(wait.op.empty() ? wait.call : wait.op);
  if (!wait.outer.empty() && wait.outer != wait.op)
    text += fmt::format(" inside \"{}\"", printable(wait.outer));
  return text;
}

std::string next_host_sync(const result::SyncRow* wait) {
  std::string text = "Let the CPU run ahead: ";
  if (wait != nullptr && (wait->op == "aten::item" || wait->op == "aten::_local_scalar_dense"))
    text += fmt::format("keep values on the GPU instead of reading them with .item() or a "
                        "condition in {}, or read them every n-th step.",
                        place_of(*wait));
  else if (wait != nullptr && !wait->op.empty())
    text += fmt::format("in {}, copy with non_blocking=True to and from pinned memory, and use "
                        "what was copied a step later.",
                        place_of(*wait));
  else
    text += "remove torch.cuda.synchronize(), .item() and blocking copies from the step.";
  return text;
}

} // namespace

std::optional<result::Finding> find_host_sync(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::host_sync);
  if (!finding) return std::nullopt;
  const result::Traces& traces = ctx.result.traces;
  const result::SyncRow* wait = longest_wait(traces);
  finding->title = "Blocking syncs leave the GPU without work";
  finding->why = fmt::format(
      "{}. {} was lost while the CPU was blocked in a sync, or launching again after one.",
      busy_in_loop(ctx), share_of_job(ctx, finding->score));
  if (wait != nullptr) {
    const double all = profiled_us(traces, wait->process);
    finding->why +=
        fmt::format(" Most of it in {}: {} in {}", place_of(*wait),
                    to_human_duration(wait->us / 1e6), words::counted(wait->calls, "call"));
    finding->why += all > 0 ? fmt::format(", {} of the profiled time.",
                                          words::percent(std::min(wait->us / all, 1.0)))
                            : ".";
  }
  finding->actions = {next_host_sync(wait)};
  finding->evidence.push_back({"time lost to blocking syncs", 100 * finding->score, "%"});
  if (wait != nullptr) {
    finding->evidence.push_back({"longest sync, all calls", wait->us / 1e6, "s"});
    finding->evidence.push_back({"its calls", static_cast<double>(wait->calls), ""});
    finding->where.push_back({"", "", wait->process, 0});
  }
  return finding;
}

} // namespace debrief::findings
