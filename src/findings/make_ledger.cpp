#include "findings/make_ledger.h"

#include "findings/host_causes.h"
#include "findings/loop_shares.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "util/sample_times.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace debrief::findings {

namespace {

Ledger best_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                   const Loop& loop, std::span<const ProcessTime> processes) {
  if (Ledger ledger = sampled_ledger(result, series, loop, processes); ledger.basis != Basis::none)
    return ledger;
  if (Ledger ledger = traced_ledger(result); ledger.basis != Basis::none) return ledger;
  if (Ledger ledger = recorded_ledger(result); ledger.basis != Basis::none) return ledger;
  if (Ledger ledger = step_ledger(result, loop, processes); ledger.basis != Basis::none)
    return ledger;
  if (Ledger ledger = core_ledger(result, series, loop); ledger.basis != Basis::none) return ledger;
  return logged_ledger(result, loop);
}

/// Whether the job ran too briefly for its startup and shutdown to count against it. Without a loop
/// there is nothing to weigh them against either.
bool is_short(const Ledger& ledger, const Loop& loop) {
  double longest = in_seconds(loop.span.length());
  for (const Account& account : ledger.accounts)
    for (const Cause phase : {Cause::start, Cause::finish})
      longest = std::max(longest, account.lost[index_of(phase)]);
  return longest < thresholds::kLongLoop;
}

} // namespace

Ledger make_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                   const Loop& loop, std::span<const ProcessTime> processes) {
  Ledger ledger = best_ledger(result, series, loop, processes);
  ledger.phases_aside = is_short(ledger, loop);
  return ledger;
}

// The ledger of a job of which only the training log is known: nothing tells how its time was used,
// but what came after the model was spoiled was for nothing.

Ledger logged_ledger(const result::Result& result, const Loop& loop) {
  Ledger ledger;
  if (!result.job.span || !loop.spoiled_from || !result.job.span->contains(*loop.spoiled_from))
    return ledger;
  const TimeSpan spoiled{*loop.spoiled_from, result.job.span->last};
  ledger.bins = LedgerBins{*result.job.span};
  Account account;
  account.paid = in_seconds(result.job.span->length());
  account.lost[index_of(Cause::model)] = in_seconds(spoiled.length());
  account.unmeasured = account.paid - in_seconds(spoiled.length());
  SecondsByCause lost{};
  lost[index_of(Cause::model)] = in_seconds(spoiled.length());
  ledger.bins.add(spoiled, 0, lost);
  ledger.windows[index_of(Cause::model)].push_back(spoiled);
  ledger.accounts.push_back(account);
  ledger.basis = Basis::logged;
  return ledger;
}

namespace {

/// Share of the loop that a GPU lost for no known cause; nothing for one that was not used.
std::optional<double> unexplained_rate(const Account& account) {
  if (account.in_loop <= 0 || account.lost[index_of(Cause::idle_gpu)] > 0) return std::nullopt;
  return account.lost[index_of(Cause::unexplained)] / account.in_loop;
}

/// What a GPU lost more than the one that lost least, as far as it also worked less than the one
/// that worked most: where events explain the losses of one node only, the others lost no more.
double excess(const Account& account, double least_lost, double most_busy) {
  return std::max(0.0, std::min(*unexplained_rate(account) - least_lost,
                                most_busy - account.busy_in_loop / account.in_loop));
}

} // namespace

void split_imbalance(std::vector<Account>& accounts) {
  std::optional<double> least_lost;
  double most_busy = 0;
  for (const Account& account : accounts)
    if (const auto rate = unexplained_rate(account)) {
      least_lost = std::min(least_lost.value_or(*rate), *rate);
      most_busy = std::max(most_busy, account.busy_in_loop / account.in_loop);
    }
  const auto is_uneven = [&](const Account& account) {
    return unexplained_rate(account) &&
           excess(account, *least_lost, most_busy) >= thresholds::kImbalance;
  };
  if (std::none_of(accounts.begin(), accounts.end(), is_uneven)) return;
  for (Account& account : accounts) {
    if (!unexplained_rate(account)) continue;
    const double more = excess(account, *least_lost, most_busy) * account.in_loop;
    account.lost[index_of(Cause::unexplained)] -= more;
    account.lost[index_of(Cause::imbalance)] += more;
  }
}

// The ledger of a job without GPUs, or of which only steps are known: time in steps is work, and
// the rest is lost.

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

/// Processes of a node whose steps tell of all of the loop.
std::vector<const ProcessTime*> steady(std::span<const ProcessTime> processes,
                                       const std::string& node) {
  std::vector<const ProcessTime*> out;
  for (const ProcessTime& process : processes)
    if (!process.profiled && (process.node.empty() || process.node == node))
      out.push_back(&process);
  return out;
}

/// Seconds of a node's processes in some set within the loop, mean over them.
double mean_seconds(const std::vector<const ProcessTime*>& processes, const TimeSpan& loop,
                    std::vector<TimeSpan> ProcessTime::*set) {
  double sum = 0;
  for (const ProcessTime* process : processes)
    sum += in_seconds(total_length(within(process->*set, loop)));
  return processes.empty() ? 0 : sum / static_cast<double>(processes.size());
}

void add_bins(LedgerBins& bins, const TimeSpan& span, Cause cause, double share) {
  SecondsByCause lost{};
  lost[index_of(cause)] = share * in_seconds(span.length());
  bins.add(span, 0, lost);
}

constexpr std::pair<Cause, std::vector<TimeSpan> ProcessTime::*> kStepCauses[] = {
    {Cause::start, &ProcessTime::warm_up},      {Cause::compile, &ProcessTime::compiling},
    {Cause::save, &ProcessTime::saving},        {Cause::input, &ProcessTime::input},
    {Cause::collect, &ProcessTime::collecting}, {Cause::stall, &ProcessTime::stall},
    {Cause::between, &ProcessTime::between}};

/// The part of the loop in which the model still learned.
TimeSpan sound_loop(const Loop& loop) {
  const Microseconds end = std::min(loop.spoiled_from.value_or(loop.span.last), loop.span.last);
  return {loop.span.first, std::max(loop.span.first, end)};
}

/// What of the job is not the loop's, or was for nothing: the parts do not overlap.
std::vector<std::pair<Cause, TimeSpan>> around_the_loop(const TimeSpan& job, const Loop& loop) {
  std::vector<std::pair<Cause, TimeSpan>> parts = {{Cause::start, {job.first, loop.span.first}}};
  if (loop.spoiled_from)
    parts.push_back(
        {Cause::model, {std::clamp(*loop.spoiled_from, loop.span.first, job.last), job.last}});
  else if (loop.end_known)
    parts.push_back({Cause::finish, {loop.span.last, job.last}});
  return parts;
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
  ledger.bins = LedgerBins{*result.job.span, true};
  const auto around = around_the_loop(*result.job.span, loop);
  const TimeSpan sound = sound_loop(loop);
  for (const std::string& node : nodes) {
    const std::vector<const ProcessTime*> of_node = steady(processes, node);
    Account account;
    account.node = node;
    account.paid = span;
    double left = span;
    const auto give = [&](Cause cause, double seconds) {
      const double taken = std::clamp(seconds, 0.0, left);
      account.lost[index_of(cause)] += taken;
      left -= taken;
    };
    for (const auto& [cause, part] : around) {
      give(cause, in_seconds(part.length()));
      add_bins(ledger.bins, part, cause, 1);
    }
    account.in_loop = left;
    for (const auto& [cause, set] : kStepCauses) {
      give(cause, mean_seconds(of_node, sound, set));
      if (cause == Cause::start) account.in_loop = left; // the first step warms up: no loop yet
      for (const ProcessTime* process : of_node)
        for (const TimeSpan& part : within(process->*set, sound))
          add_bins(ledger.bins, part, cause, 1 / static_cast<double>(of_node.size()));
    }
    if (loop.outside_pytorch >= thresholds::kMuchPython) {
      const double before = left;
      give(Cause::python, loop.outside_pytorch * account.in_loop);
      if (sound.length() > 0)
        add_bins(ledger.bins, sound, Cause::python, (before - left) / in_seconds(sound.length()));
    }
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
    for (const auto& [cause, set] : kStepCauses)
      add(cause, within(process.*set, sound));
  }
  for (const auto& [cause, part] : around)
    add(cause, {part});
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    ledger.windows[cause] = merged(std::move(windows[cause]));
  return ledger;
}

// The ledger of a job without GPUs that recorded no steps: what its cores work is work.

namespace {

void add_node(const aggregate::NodeSeries& node, const aggregate::NodeMetricSeries& cpu,
              const Loop& loop, double paid, Ledger& ledger) {
  const SampleIntervals intervals{cpu.times};
  Host host{node, 1};
  SecondsByCause lost{};
  Account account;
  account.node = node.node;
  for (std::size_t i = 0; i < cpu.times.size(); ++i) {
    const TimeSpan span = intervals.before(i);
    const double seconds = in_seconds(span.length());
    const HostState state = host.at(cpu.times[i]);
    account.in_loop += seconds;
    lost.fill(0);
    double busy = 0;
    if (is_spoiled(loop, span.last)) {
      lost[index_of(Cause::model)] = seconds;
      ledger.windows[index_of(Cause::model)].push_back(span);
    } else if (state.waits_for_storage()) {
      lost[index_of(Cause::io)] = seconds;
      ledger.windows[index_of(Cause::io)].push_back(span);
    } else {
      busy = seconds * std::clamp(state.cpu.value_or(0) / 100, 0.0, 1.0);
      lost[index_of(Cause::unexplained)] = seconds - busy;
    }
    account.busy += busy;
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      account.lost[cause] += lost[cause];
    ledger.bins.add(span, busy, lost);
  }
  account.busy_in_loop = account.busy;
  account.paid = std::max(paid, account.in_loop);
  account.unmeasured = account.paid - account.in_loop;
  ledger.accounts.push_back(account);
}

} // namespace

Ledger core_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                   const Loop& loop) {
  Ledger ledger;
  const double paid = result.job.span ? in_seconds(result.job.span->length()) : 0;
  if (result.job.span) ledger.bins = LedgerBins{*result.job.span};
  for (const aggregate::NodeSeries& node : series)
    if (const aggregate::NodeMetricSeries* cpu = node.find(result::Metric::cpu)) {
      add_node(node, *cpu, loop, paid, ledger);
      ledger.samples = std::max(ledger.samples, static_cast<std::int64_t>(cpu->times.size()));
    }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::cores;
  for (std::vector<TimeSpan>& windows : ledger.windows)
    windows = merged(std::move(windows));
  return ledger;
}

// The ledger of a job that has PyTorch traces and no samples: of the time that was profiled.

namespace {

/// Microseconds that the processes' profiled steps spent in the data loader.
std::map<std::string, double> loading_us(const result::Traces& traces) {
  std::map<std::string, double> out;
  for (const result::ProcessBreakdown& process : traces.processes)
    for (const result::StepPart& part : process.parts)
      if (part.part == "data loader") out[process.process] = part.us;
  return out;
}

/// Seconds of the job that no trace covers. Profiling begins and ends somewhere in the loop: what a
/// trace has around its steps is not among them.
struct Untraced {
  bool known = false;                    ///< false: the traces' clocks are not
  double before_and_after = 0;           ///< of all traces
  std::map<std::string, double> between; ///< of a process's own
};

Untraced untraced_time(const result::Result& result) {
  Untraced out;
  std::optional<TimeSpan> all;
  std::map<std::string, std::vector<TimeSpan>> spans;
  for (const result::TraceFile& file : result.traces.files) {
    if (!file.span) continue;
    spans[file.process].push_back(*file.span);
    all =
        all ? TimeSpan{std::min(all->first, file.span->first), std::max(all->last, file.span->last)}
            : *file.span;
  }
  out.known = all.has_value();
  if (all && result.job.span)
    out.before_and_after = std::max(0.0, in_seconds(result.job.span->length() - all->length()));
  for (auto& [process, list] : spans) {
    const std::vector<TimeSpan> covered = merged(std::move(list));
    out.between[process] =
        in_seconds(covered.back().last - covered.front().first - total_length(covered));
  }
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
  const Untraced untraced = untraced_time(result);
  const double span = result.job.span ? in_seconds(result.job.span->length()) : 0;
  double copy_alone = 0;
  for (const result::GpuActivity& gpu : traces.gpus) {
    if (gpu.profiled_us <= 0) continue;
    copy_alone += gpu.copy_alone_us / 1e6;
    Account account;
    account.node = nodes.contains(gpu.process) ? nodes.at(gpu.process) : "";
    account.device = "gpu" + std::to_string(gpu.device);
    account.in_loop = gpu.profiled_us / 1e6;
    const double waiting = gpu.working_us() / 1e6 * shares.on_gpu_of_busy;
    account.busy = gpu.working_us() / 1e6 - waiting;
    account.busy_in_loop = account.busy;
    double left = std::max(0.0, account.in_loop - gpu.busy_us / 1e6);
    const auto give = [&](Cause cause, double seconds) {
      const double taken = std::clamp(seconds, 0.0, left);
      account.lost[index_of(cause)] += taken;
      left -= taken;
    };
    give(Cause::compile, gpu.setup_wait_us / 1e6);
    give(Cause::input, loading.contains(gpu.process) ? loading.at(gpu.process) / 1e6 : 0);
    give(Cause::communication, account.in_loop * shares.communication);
    give(Cause::copy, gpu.copy_wait_us / 1e6);
    give(Cause::sync, gpu.host_sync_us / 1e6);
    give(Cause::python, gpu.outside_wait_us / 1e6);
    give(Cause::unexplained, left);
    account.lost[index_of(Cause::communication)] += waiting;
    account.lost[index_of(Cause::copy)] += gpu.copy_alone_us / 1e6;
    account.unmeasured =
        untraced.known ? untraced.before_and_after : std::max(0.0, span - account.in_loop);
    if (const auto gaps = untraced.between.find(gpu.process); gaps != untraced.between.end())
      account.unmeasured += gaps->second;
    account.paid = account.in_loop + account.unmeasured;
    ledger.accounts.push_back(account);
  }
  if (ledger.accounts.empty()) return ledger;
  ledger.basis = Basis::traces;
  ledger.without_collectives = shares.on_gpu_of_busy > 0;
  ledger.without_copies = copy_alone >= result::kUnmeasuredSaid * ledger.judged();
  split_imbalance(ledger.accounts);
  return ledger;
}

} // namespace debrief::findings
