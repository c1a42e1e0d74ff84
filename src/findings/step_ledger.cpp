// The ledger of a job without GPUs, or of which only steps are known: time in steps is work, and
// the rest is lost.
#include "findings/make_ledger.h"

#include <algorithm>
#include <set>

namespace debrief {

namespace {

/// Seconds of a node's processes in some set, mean over them.
double mean_seconds(std::span<const ProcessTime> processes, const std::string& node,
                    std::vector<TimeSpan> ProcessTime::*set) {
  double sum = 0;
  double count = 0;
  for (const ProcessTime& process : processes) {
    if (process.profiled || (!process.node.empty() && process.node != node)) continue;
    sum += in_seconds(total_length(process.*set));
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

} // namespace

Ledger step_ledger(const result::Result& result, const Loop& loop,
                   std::span<const ProcessTime> processes) {
  Ledger ledger;
  const bool steps_known = std::any_of(processes.begin(), processes.end(), [](const auto& process) {
    return !process.profiled && process.known > 0;
  });
  if (!result.job.span || (!loop.start_known && !steps_known)) return ledger;
  const double span = in_seconds(result.job.span->length());
  std::set<std::string> nodes;
  for (const result::Node& node : result.job.nodes)
    nodes.insert(node.name);
  if (nodes.empty()) nodes.insert("");
  for (const std::string& node : nodes) {
    Account account;
    account.node = node;
    account.paid = span;
    double left = span;
    const auto give = [&](Cause cause, double seconds) {
      const double taken = std::clamp(seconds, 0.0, left);
      account.lost[index_of(cause)] += taken;
      left -= taken;
    };
    give(Cause::start, in_seconds(loop.span.first - result.job.span->first));
    if (loop.end_known) give(Cause::finish, in_seconds(result.job.span->last - loop.span.last));
    account.in_loop = left;
    give(Cause::start, mean_seconds(processes, node, &ProcessTime::warm_up));
    give(Cause::input, mean_seconds(processes, node, &ProcessTime::input));
    give(Cause::stall, mean_seconds(processes, node, &ProcessTime::stall));
    give(Cause::between, mean_seconds(processes, node, &ProcessTime::between));
    account.busy = left;
    account.busy_in_loop = left;
    ledger.accounts.push_back(account);
  }
  ledger.basis = Basis::steps;
  std::array<std::vector<TimeSpan>, kCauses> windows;
  const auto add = [&](Cause cause, const std::vector<TimeSpan>& spans) {
    auto& into = windows[index_of(cause)];
    into.insert(into.end(), spans.begin(), spans.end());
  };
  for (const ProcessTime& process : processes) {
    if (process.profiled) continue;
    add(Cause::start, process.warm_up);
    add(Cause::input, process.input);
    add(Cause::stall, process.stall);
    add(Cause::between, process.between);
  }
  add(Cause::start, {{result.job.span->first, loop.span.first}});
  if (loop.end_known) add(Cause::finish, {{loop.span.last, result.job.span->last}});
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    ledger.windows[cause] = merged(std::move(windows[cause]));
  return ledger;
}

} // namespace debrief
