// The GPUs wait for data: time goes by while a process waits for its next batch.
#include "findings/detectors/detectors.h"
#include "findings/words.h"
#include "result/step_time.h"
#include "util/interval_set.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace debrief::findings {

namespace {

const result::LoadTimes* times_of(const result::DataLoading& loading, result::LoadKind what) {
  for (const result::LoadTimes& times : loading.times)
    if (times.what == what) return &times;
  return nullptr;
}

/// Of each iteration, mean over processes: what the training loop spends waiting, by the loop's own
/// length, so that the wait is never longer than the iteration. Nothing where events do not tell.
struct IterationWait {
  double wait = 0; ///< seconds
  double iteration = 0;
};

std::optional<IterationWait> wait_in_iteration(const DiagnosisContext& ctx) {
  if (ctx.ledger.basis != Basis::samples && ctx.ledger.basis != Basis::steps) return std::nullopt;
  const auto iteration = result::seconds_per_step(ctx.result);
  const Microseconds loop = ctx.loop.span.length();
  if (!iteration || loop <= 0) return std::nullopt;
  Microseconds waits = 0;
  Microseconds loops = 0;
  for (const ProcessTime& process : ctx.processes) {
    if (process.profiled || process.known <= 0) continue;
    waits += Coverage<Microseconds>{process.input}.within(ctx.loop.span);
    loops += loop;
  }
  if (waits <= 0) return std::nullopt;
  return IterationWait{*iteration * static_cast<double>(waits) / static_cast<double>(loops),
                       *iteration};
}

/// Training processes of the node that has the most: its cores are shared by their workers.
std::int64_t ranks_of_a_node(const DiagnosisContext& ctx) {
  std::map<std::string, std::int64_t> whole;
  std::map<std::string, std::int64_t> profiled;
  for (const ProcessTime& process : ctx.processes)
    ++(process.profiled ? profiled : whole)[process.node];
  std::int64_t most = 1;
  for (const auto& [node, count] : whole.empty() ? profiled : whole)
    most = std::max(most, count);
  return most;
}

/// Workers that each rank can have: every training process and the system keep a core. Workers that
/// leave most cores idle wait themselves, for storage say: twice as many may have a core each.
std::int64_t room_for_workers(const DiagnosisContext& ctx, std::int64_t cores,
                              const std::optional<HostUse>& host) {
  const std::int64_t ranks = ranks_of_a_node(ctx);
  const bool idle = host && 2 * host->working < host->cores;
  const std::int64_t workers = ctx.result.data_loading.num_workers.value_or(0);
  const std::int64_t twice = idle && workers <= cores / ranks / 2 ? 2 * workers : 0;
  return std::max({(cores - ranks - 1) / ranks, twice, std::int64_t{1}});
}

/// How batches come and go, seconds: the pace of the loop as it is, and what it does beside
/// waiting.
struct Pace {
  double now = 0;
  double step = 0;
};

std::optional<Pace> pace_of(const DiagnosisContext& ctx, const std::optional<IterationWait>& each) {
  const result::LoadTimes* wait = times_of(ctx.result.data_loading, result::LoadKind::get_next);
  const result::StepRow* steps = training_steps(ctx.result);
  if (wait == nullptr || !wait->mean || steps == nullptr || steps->p50 <= 0) return std::nullopt;
  // A rank that waits for another's data does so within its step.
  if (each && each->iteration - each->wait < steps->p50 / 2 && each->wait < each->iteration)
    return Pace{each->iteration, each->iteration - each->wait};
  return Pace{*wait->mean + steps->p50, steps->p50};
}

/// Workers of a rank that would load as fast as its GPU takes: what one batch costs a worker, over
/// a step.
std::optional<std::int64_t> workers_needed(const DiagnosisContext& ctx,
                                           const std::optional<IterationWait>& each) {
  const result::DataLoading& loading = ctx.result.data_loading;
  const auto ceiling = [](double workers) {
    return static_cast<std::int64_t>(std::ceil(std::min(workers, 1e6)));
  };
  if (const auto pace = pace_of(ctx, each))
    return ceiling(static_cast<double>(std::max<std::int64_t>(loading.num_workers.value_or(0), 1)) *
                   pace->now / pace->step);
  // Without workers the training process loads itself, one batch after the other.
  const result::LoadTimes* load = times_of(loading, result::LoadKind::load);
  const result::StepRow* steps = training_steps(ctx.result);
  if (times_of(loading, result::LoadKind::get_next) == nullptr && load != nullptr &&
      steps != nullptr && steps->p50 > 0 && loading.num_workers == 0)
    return ceiling(load->p50 / steps->p50);
  return std::nullopt;
}

std::string why_input_bound(const DiagnosisContext& ctx, const std::optional<HostUse>& host,
                            const std::optional<IterationWait>& each) {
  std::string text = busy_in_loop(ctx) + ". ";
  const std::string lost = share_of_job(ctx, ctx.ledger.share(Cause::input));
  const result::LoadTimes* wait = times_of(ctx.result.data_loading, result::LoadKind::get_next);
  // The share is of the whole job, the waits are of the steps in its traces.
  const bool of_few_steps = ctx.ledger.basis == Basis::samples && !ctx.events_known();
  if (each)
    text += fmt::format("{} went to waiting for the next batch: {} of each {} iteration.", lost,
                        to_human_duration(each->wait), to_human_duration(each->iteration));
  else if (wait != nullptr && ctx.ledger.basis != Basis::recorded)
    text += fmt::format("{} went to waiting for the next batch ({}, {} {}).", lost,
                        words::counted(wait->count, of_few_steps ? "profiled wait" : "wait"),
                        to_human_duration(wait->mean.value_or(wait->p50)),
                        wait->mean ? "on average" : "median");
  else if (const auto* load = times_of(ctx.result.data_loading, result::LoadKind::load))
    text += fmt::format("{} went to loading: a batch takes {} (median), and the training process "
                        "loads it itself.",
                        lost, to_human_duration(load->p50));
  else
    text += fmt::format("{} was lost while more CPU cores were busy than training needs, as with "
                        "data-loader workers.",
                        lost);
  if (host)
    text += fmt::format(" {:.0f} of {:.0f} CPU cores sat idle.", host->cores - host->working,
                        host->cores);
  return text;
}

std::vector<std::string> actions_input_bound(const DiagnosisContext& ctx,
                                             const std::optional<HostUse>& host,
                                             const std::optional<IterationWait>& each) {
  const result::DataLoading& loading = ctx.result.data_loading;
  const std::optional<std::int64_t> cores =
      loading.cores ? loading.cores
      : host        ? std::optional{static_cast<std::int64_t>(host->cores)}
                    : std::nullopt;
  std::vector<std::string> out;
  if (loading.num_workers && cores) {
    const std::int64_t workers = *loading.num_workers;
    const std::int64_t ranks = ranks_of_a_node(ctx);
    const char* const of_each = ranks > 1 ? " per rank" : "";
    const std::int64_t room = room_for_workers(ctx, *cores, host);
    const auto needed = workers_needed(ctx, each);
    const std::int64_t wanted =
        std::min(room, std::max(std::min(workers, room) + 1, needed.value_or(room)));
    if (wanted > workers)
      out.push_back(fmt::format("Set num_workers={} (now {}).", wanted, workers));
    else
      out.push_back(fmt::format("Make each batch cheaper: there {} already {}{} for {}.",
                                workers == 1 ? "is" : "are", words::counted(workers, "worker"),
                                of_each, words::counted(*cores, "core")));
    if (needed && *needed > room)
      out.push_back(
          fmt::format("More workers alone won't hide the wait: that would take about {}{}. "
                      "Preprocess the data once, or move transforms to the GPU.",
                      count_text(*needed), of_each));
  } else {
    out.push_back("Give the data loader more workers" +
                  (host ? fmt::format(": {:.0f} of {:.0f} CPU cores are idle.",
                                      host->cores - host->working, host->cores)
                        : "."));
    if (!ctx.events_known() && ctx.result.traces.empty())
      out.emplace_back("Record steps and data loading with torch.profiler to see what they wait "
                       "for.");
  }
  if (loading.pin_memory == false) out.emplace_back("Set pin_memory=True.");
  return out;
}

/// How many times faster batches come from as many workers as there is room for: what one batch
/// costs a worker stays the same. Nothing where a figure is missing, or without workers.
std::optional<double> gain_of_workers(const DiagnosisContext& ctx,
                                      const std::optional<HostUse>& host,
                                      const std::optional<IterationWait>& each) {
  const result::DataLoading& loading = ctx.result.data_loading;
  const std::int64_t workers = loading.num_workers.value_or(0);
  const auto pace = pace_of(ctx, each);
  if (workers <= 0 || !loading.cores || !pace) return std::nullopt;
  const double then = pace->now * static_cast<double>(workers) /
                      static_cast<double>(room_for_workers(ctx, *loading.cores, host));
  const double least = std::max(then, pace->step); // the step itself is not faster for it
  return std::max(pace->now / least, 1.0);
}

} // namespace

std::optional<result::Finding> find_input_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::input_bound);
  if (!finding) return std::nullopt;
  const auto host = host_use(ctx, Cause::input);
  finding->title = the_gpus(ctx) + (ctx.ledger.accounts.size() == 1 ? " is" : " are") +
                   " waiting on the data loader";
  if (!ctx.ledger.of_gpus()) finding->title = "Training is waiting on the data loader";
  const auto each = wait_in_iteration(ctx);
  finding->why = why_input_bound(ctx, host, each);
  finding->actions = actions_input_bound(ctx, host, each);
  if (const auto bound = gain_of_workers(ctx, host, each); bound && finding->gain)
    finding->gain = std::min(*finding->gain, *bound);
  const result::DataLoading& loading = ctx.result.data_loading;
  finding->evidence.push_back({"time waiting for data", 100 * finding->score, "%"});
  finding->evidence.push_back({ctx.ledger.of_gpus() ? "GPU busy in the training loop"
                                                    : "share of the training loop in steps",
                               100 * ctx.ledger.busy_share_in_loop(), "%"});
  if (each)
    finding->evidence.push_back({"wait per iteration", each->wait, "s"});
  else if (const auto* wait = times_of(loading, result::LoadKind::get_next))
    finding->evidence.push_back({wait->mean ? "mean wait for a batch" : "median wait for a batch",
                                 wait->mean.value_or(wait->p50), "s"});
  if (const auto* steps = training_steps(ctx.result))
    finding->evidence.push_back({"median step", steps->p50, "s"});
  if (loading.num_workers)
    finding->evidence.push_back({"workers", static_cast<double>(*loading.num_workers), ""});
  if (loading.cores)
    finding->evidence.push_back({"cores", static_cast<double>(*loading.cores), ""});
  if (host) finding->evidence.push_back({"cores busy during waits", host->working, ""});
  return finding;
}

} // namespace debrief::findings
