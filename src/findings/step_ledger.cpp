// The ledger of a job without GPUs, or of which only steps are known: time in steps is work, and
// the rest is lost.
#include "findings/make_ledger.h"

#include <algorithm>
#include <set>

namespace debrief::findings {

namespace {

/// What of a set lies in the loop: a process may wait for data before its first step, too.
std::vector<TimeSpan> within(const std::vector<TimeSpan>& spans, const TimeSpan& loop) {
  std::vector<TimeSpan> out;
  for (const TimeSpan& span : spans) {
    const TimeSpan part{std::max(span.first, loop.first), std::min(span.last, loop.last)};
    if (part.length() > 0) out.push_back(part);
  }
  return out;
}

/// Seconds of a node's processes in some set within the loop, mean over them.
double mean_seconds(std::span<const ProcessTime> processes, const std::string& node,
                    const TimeSpan& loop, std::vector<TimeSpan> ProcessTime::*set) {
  double sum = 0;
  double count = 0;
  for (const ProcessTime& process : processes) {
    if (process.profiled || (!process.node.empty() && process.node != node)) continue;
    sum += in_seconds(aggregate::total_length(within(process.*set, loop)));
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
    give(Cause::start, mean_seconds(processes, node, loop.span, &ProcessTime::warm_up));
    give(Cause::input, mean_seconds(processes, node, loop.span, &ProcessTime::input));
    give(Cause::stall, mean_seconds(processes, node, loop.span, &ProcessTime::stall));
    give(Cause::between, mean_seconds(processes, node, loop.span, &ProcessTime::between));
    account.busy = left;
    account.busy_in_loop = left;
    ledger.accounts.push_back(account);
  }
  ledger.basis = Basis::steps;
  std::array<std::vector<TimeSpan>, kCauses> windows;
  const auto add = [&](Cause cause, const std::vector<TimeSpan>& spans) {
    for (const TimeSpan& part : spans)
      if (part.length() > 0) windows[index_of(cause)].push_back(part);
  };
  for (const ProcessTime& process : processes) {
    if (process.profiled) continue;
    add(Cause::start, within(process.warm_up, loop.span));
    add(Cause::input, within(process.input, loop.span));
    add(Cause::stall, within(process.stall, loop.span));
    add(Cause::between, within(process.between, loop.span));
  }
  add(Cause::start, {{result.job.span->first, loop.span.first}});
  if (loop.end_known) add(Cause::finish, {{loop.span.last, result.job.span->last}});
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    ledger.windows[cause] = aggregate::merged(std::move(windows[cause]));
  return ledger;
}

} // namespace debrief::findings
