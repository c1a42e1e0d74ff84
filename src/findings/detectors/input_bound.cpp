// The GPUs wait for data: time goes by while a process waits for its next batch.
#include "findings/detectors/detectors.h"
#include "findings/words.h"
#include "result/step_time.h"
#include "util/interval_set.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::findings {

namespace {

const result::LoadTimes* times_of(const result::DataLoading& loading, result::LoadKind what) {
  for (const result::LoadTimes& times : loading.times)
    if (times.what == what) return &times;
  return nullptr;
}

/// Cores that workers can have: the training process and the system keep two.
std::int64_t room_for_workers(std::int64_t cores) {
  return std::max<std::int64_t>(cores - 2, 1);
}

/// Workers that would load as fast as the GPUs take: what one batch costs a worker, over a step.
std::optional<std::int64_t> workers_needed(const result::Result& result) {
  const result::LoadTimes* wait = times_of(result.data_loading, result::LoadKind::get_next);
  const result::LoadTimes* load = times_of(result.data_loading, result::LoadKind::load);
  const result::StepRow* steps = training_steps(result);
  if (steps == nullptr || steps->p50 <= 0) return std::nullopt;
  // Without workers the training process loads itself, one batch after the other.
  if (wait == nullptr && load != nullptr && result.data_loading.num_workers == 0)
    return static_cast<std::int64_t>(std::ceil(std::min(load->p50 / steps->p50, 1e6)));
  if (wait == nullptr || !wait->mean) return std::nullopt;
  const auto workers =
      static_cast<double>(std::max<std::int64_t>(result.data_loading.num_workers.value_or(0), 1));
  const double of_one = workers * (*wait->mean + steps->p50);
  return static_cast<std::int64_t>(std::ceil(std::min(of_one / steps->p50, 1e6)));
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
                                             const std::optional<HostUse>& host) {
  const result::DataLoading& loading = ctx.result.data_loading;
  const std::optional<std::int64_t> cores =
      loading.cores ? loading.cores
      : host        ? std::optional{static_cast<std::int64_t>(host->cores)}
                    : std::nullopt;
  std::vector<std::string> out;
  if (loading.num_workers && cores) {
    const std::int64_t workers = *loading.num_workers;
    const std::int64_t room = room_for_workers(*cores);
    const std::int64_t wanted = std::min(
        room, std::max(std::min(workers, room) + 1, workers_needed(ctx.result).value_or(room)));
    if (wanted > workers)
      out.push_back(fmt::format("Set num_workers={} (now {}).", wanted, workers));
    else
      out.push_back(fmt::format("Make each batch cheaper: {} already {} the {}.",
                                words::counted(workers, "worker"), workers == 1 ? "fills" : "fill",
                                words::counted(*cores, "core")));
    const auto needed = workers_needed(ctx.result);
    if (needed && *needed > room)
      out.push_back(fmt::format("That won't be enough: hiding the wait takes about {} workers. "
                                "Preprocess the data once, or move transforms to the GPU.",
                                count_text(*needed)));
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
std::optional<double> gain_of_workers(const result::Result& result) {
  const result::DataLoading& loading = result.data_loading;
  const result::LoadTimes* wait = times_of(loading, result::LoadKind::get_next);
  const result::StepRow* steps = training_steps(result);
  const std::int64_t workers = loading.num_workers.value_or(0);
  if (workers <= 0 || !loading.cores || wait == nullptr || !wait->mean || steps == nullptr)
    return std::nullopt;
  const double now = *wait->mean + steps->p50;
  const double then =
      now * static_cast<double>(workers) / static_cast<double>(room_for_workers(*loading.cores));
  const double least = std::max(then, steps->p50); // the step itself is not faster for it
  return least > 0 ? std::optional{std::max(now / least, 1.0)} : std::nullopt;
}

} // namespace

std::optional<result::Finding> find_input_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, Cause::input, result::FindingKind::input_bound);
  if (!finding) return std::nullopt;
  const auto host = host_use(ctx, Cause::input);
  finding->title = the_gpus(ctx) + (ctx.ledger.accounts.size() == 1 ? " is" : " are") +
                   " waiting on the data loader";
  if (!ctx.ledger.of_gpus()) finding->title = "Training is waiting on the data loader";
  const auto each = wait_in_iteration(ctx);
  finding->why = why_input_bound(ctx, host, each);
  finding->actions = actions_input_bound(ctx, host);
  if (const auto bound = gain_of_workers(ctx.result); bound && finding->gain)
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
