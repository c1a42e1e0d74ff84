// GPUs are busy a small share of the time and nothing on the host explains it: small batches, or
// kernels too short for their launch.
#include "findings/detectors/detectors.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "findings/trace_evidence.h"
#include "findings/words.h"
#include "result/batch_size.h"
#include "result/step_time.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace debrief::findings {

namespace {

struct Launches {
  std::int64_t kernels = 0;
  std::int64_t short_ones = 0;
};

std::optional<Launches> launches_of(const result::Traces& traces) {
  Launches all;
  for (const result::LaunchStats& row : traces.launches) {
    all.kernels += row.launches;
    all.short_ones += row.short_kernels;
  }
  return all.kernels > 0 ? std::optional{all} : std::nullopt;
}

/// Of the GPUs whose utilization misleads, the one with the least SM activity; null where none
/// does.
const result::SmActivityRow* least_filled(const result::Result& result) {
  const result::SmActivityRow* least = nullptr;
  for (const result::SmActivityRow& row : result.sm_activity)
    if (is_hardly_filled(row) && (least == nullptr || row.sm_active < least->sm_active))
      least = &row;
  return least;
}

std::string why_hardly_filled(const DiagnosisContext& ctx, const result::SmActivityRow& gpu) {
  return fmt::format("Kernels ran on {} for {} of the training loop, but kept only {} of its SMs "
                     "busy.",
                     ctx.ledger.accounts.size() == 1 ? "the GPU"
                                                     : words::place(gpu.node, gpu.device),
                     words::percent(gpu.utilization / 100), words::percent(gpu.sm_active / 100));
}

/// Whether busy and idle time add up to the whole loop, as a reader adds them.
bool is_all_the_rest(const DiagnosisContext& ctx, double idle) {
  return std::llround(100 * idle) + std::llround(100 * ctx.ledger.busy_share_in_loop()) == 100;
}

/// Whether there is anything that would show what GPUs wait for.
bool is_cause_recorded(const DiagnosisContext& ctx) {
  return !ctx.result.traces.empty() && !shows_setup(ctx.result.traces);
}

/// What is known of idle time without a cause.
const char* why_idle(const DiagnosisContext& ctx) {
  if (is_cause_recorded(ctx)) return ", with no data, disk or CPU stall to explain it.";
  if (ctx.events_known()) return ": not for data, disk or CPU, and no trace shows for what.";
  return "; the reason was not recorded.";
}

std::string why_underutilized(const DiagnosisContext& ctx, double unexplained) {
  const bool launch_bound = is_launch_bound(ctx.result.traces);
  const result::SmActivityRow* unfilled = least_filled(ctx.result);
  std::string text =
      unfilled != nullptr
          ? why_hardly_filled(ctx, *unfilled)
          : fmt::format("{}. {} {} for {} {} of the loop{}", busy_in_loop(ctx),
                        ctx.ledger.accounts.size() == 1 ? "It" : "They",
                        launch_bound ? "had no work queued" : "sat idle",
                        is_all_the_rest(ctx, unexplained) ? "the other" : "another",
                        words::percent(unexplained), launch_bound ? "." : why_idle(ctx));
  if (const auto launches = launches_of(ctx.result.traces))
    text += fmt::format(" {} of {} run for less time than they take to launch.",
                        count_text(launches->short_ones),
                        words::counted(launches->kernels, "profiled kernel"));
  return text;
}

std::vector<std::string> actions_underutilized(const DiagnosisContext& ctx) {
  const auto memory = occupied_memory(ctx);
  const auto batch = result::batch_size(ctx.result);
  std::string text = ctx.result.traces.empty() ? "If kernel launches are the limit, raise the "
                                                 "batch size"
                                               : "Raise the batch size";
  const bool room = memory && *memory < thresholds::kPressure;
  if (const double times = room && *memory > 0 ? thresholds::kPressure / *memory : 0;
      batch && times >= 2 && is_cause_recorded(ctx)) {
    // In powers of two, and not beyond what a person would try first.
    std::int64_t factor = 2;
    while (static_cast<double>(2 * factor) <= std::min(times, 64.0))
      factor *= 2;
    constexpr std::int64_t kMuch = 4; // beyond it no learning rate stays right
    const bool much = factor >= kMuch;
    text += fmt::format("{} to {} (now {}){}", much ? " gradually, up" : "",
                        count_text(batch->value * factor), count_text(batch->value),
                        much ? ", adjusting the learning rate as you go" : "");
  } else if (batch) {
    text += fmt::format(" (now {})", count_text(batch->value));
  }
  if (room) text += fmt::format(": GPU memory peaks at {}", words::percent(*memory / 100));
  std::vector<std::string> out = {text + '.'};
  const auto processes = std::ssize(ctx.result.job.processes);
  const auto gpus = std::ssize(ctx.ledger.accounts);
  if (least_filled(ctx.result) != nullptr && processes > gpus)
    out.push_back(fmt::format("Run one process per GPU (now {} on {}): processes that "
                              "share a GPU take turns.",
                              processes, gpus));
  if (!is_cause_recorded(ctx)) return out;
  const auto launches = launches_of(ctx.result.traces);
  out.emplace_back(
      launches && 2 * launches->short_ones > launches->kernels
          ? "Launch fewer kernels: use torch.compile, CUDA graphs or a fused optimizer."
          : "If that doesn't help, use a smaller GPU.");
  return out;
}

/// With all that goes on around a step; else of a step alone.
std::optional<double> seconds_of_step(const result::Result& result) {
  if (const auto seconds = result::seconds_per_step(result)) return seconds;
  const result::StepRow* steps = training_steps(result);
  return steps == nullptr ? std::nullopt : std::optional{steps->p50};
}

/// How many times faster larger batches make the loop at most: what a batch costs shrinks with
/// their number (launches, syncs, the time between steps), what a sample costs stays.
double gain_of_fewer_batches(const DiagnosisContext& ctx) {
  double in_loop = 0;
  double samples = 0;
  for (const Account& account : ctx.ledger.accounts) {
    if (account.lost[index_of(Cause::idle_gpu)] > 0) continue;
    in_loop += account.in_loop;
    for (const Cause cause : {Cause::input, Cause::io, Cause::cpu, Cause::imbalance})
      samples += account.lost[index_of(cause)];
  }
  return samples > 0 ? in_loop / samples : std::numeric_limits<double>::infinity();
}

/// How many times faster the same work is on a GPU that is full: by what it really computes per
/// step and how much of it that fills, which samples of utilization do not tell. A profiled step
/// takes longer on the host, but not on the GPU.
std::optional<double> gain_of_full_gpu(const DiagnosisContext& ctx) {
  const result::Result& result = ctx.result;
  const auto step = seconds_of_step(result);
  double busy_us = 0;
  double filled_us = 0;
  for (const result::GpuActivity& gpu : result.traces.gpus) {
    busy_us += gpu.busy_us;
    filled_us += gpu.sm_efficiency ? gpu.profiled_us * *gpu.sm_efficiency / 100 : gpu.busy_us;
  }
  double steps = 0;
  for (const result::ProcessBreakdown& process : result.traces.processes)
    steps += static_cast<double>(process.steps);
  const double needed = std::min(filled_us, busy_us) / 1e6;
  if (!step || steps <= 0 || needed <= 0) return std::nullopt;
  return std::max(std::min(*step / (needed / steps), gain_of_fewer_batches(ctx)), 1.0);
}

} // namespace

std::optional<result::Finding> find_underutilized(const DiagnosisContext& ctx) {
  if (!ctx.ledger.of_gpus()) return std::nullopt;
  double in_loop = 0;
  for (const Account& account : ctx.ledger.accounts)
    if (account.lost[index_of(Cause::idle_gpu)] <= 0) in_loop += account.in_loop;
  const double lost = ctx.ledger.lost(Cause::unexplained);
  const double unexplained = in_loop > 0 ? lost / in_loop : 0;
  if (unexplained < thresholds::kUnexplainedWarning) return std::nullopt;
  auto finding = cost_finding(ctx, result::FindingKind::underutilized);
  if (!finding) return std::nullopt;
  if (unexplained < thresholds::kUnexplainedCritical)
    finding->severity = std::min(finding->severity, result::Severity::warning);
  const bool launch_bound = is_launch_bound(ctx.result.traces);
  const bool one = ctx.ledger.accounts.size() == 1;
  finding->title =
      the_gpus(ctx) + (launch_bound
                           ? (one ? " runs" : " run") + std::string{" out of work (launch-bound)"}
                           : (one ? " is" : " are") + std::string{" underutilized"} +
                                 (is_cause_recorded(ctx) || least_filled(ctx.result) != nullptr
                                      ? ""
                                      : "; the cause was not recorded"));
  finding->why = why_underutilized(ctx, unexplained);
  finding->actions = actions_underutilized(ctx);
  finding->gain = gain_of_full_gpu(ctx);
  finding->evidence.push_back(
      {"GPU busy in the training loop", 100 * ctx.ledger.busy_share_in_loop(), "%"});
  if (const result::SmActivityRow* unfilled = least_filled(ctx.result)) {
    finding->evidence.push_back(
        {"GPU utilization in the training loop", unfilled->utilization, "%"});
    finding->evidence.push_back({"SM activity in the training loop", unfilled->sm_active, "%"});
  }
  if (const auto step = median_step(ctx.result))
    finding->evidence.push_back({"median step", *step, "s"});
  if (const auto memory = occupied_memory(ctx))
    finding->evidence.push_back({"highest GPU memory", *memory, "%"});
  if (const auto batch = result::batch_size(ctx.result))
    finding->evidence.push_back({"batch size", static_cast<double>(batch->value), ""});
  if (const auto launches = launches_of(ctx.result.traces)) {
    finding->evidence.push_back({"profiled kernels", static_cast<double>(launches->kernels), ""});
    finding->evidence.push_back(
        {"kernels shorter than their launch", static_cast<double>(launches->short_ones), ""});
  }
  return finding;
}

} // namespace debrief::findings
