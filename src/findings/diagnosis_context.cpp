#include "findings/diagnosis_context.h"

#include "findings/memory_series.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "util/median.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

using namespace thresholds;
using result::Confidence;
using result::Severity;

/// Of the GPU that has most.
double samples_in_loop(const Ledger& ledger) {
  double share = 0;
  for (const Account& account : ledger.accounts)
    if (const double measured = account.paid - account.unmeasured; measured > 0)
      share = std::max(share, account.in_loop / measured);
  return static_cast<double>(ledger.samples) * share;
}

/// Figures that SageMaker made, a few profiled steps and hints on the host are less than samples
/// with events beside them.
Confidence confidence_in(const DiagnosisContext& ctx, Cause cause) {
  const bool known_without_events = cause == Cause::idle_gpu || cause == Cause::io ||
                                    cause == Cause::cpu || cause == Cause::imbalance ||
                                    cause == Cause::unexplained;
  switch (ctx.ledger.basis) {
  case Basis::samples:
    if (samples_in_loop(ctx.ledger) < kManySamples)
      return ctx.events_known() && static_cast<double>(step_count(ctx.result)) >= kManySteps
                 ? Confidence::medium
                 : Confidence::low;
    if (cause == Cause::start) return ctx.loop.start_known ? Confidence::high : Confidence::medium;
    if (cause == Cause::finish) return ctx.loop.end_known ? Confidence::high : Confidence::medium;
    if (cause == Cause::communication && !ctx.result.traces.communication.overlap.empty())
      return Confidence::high;
    if (ctx.events_known() || cause == Cause::idle_gpu) return Confidence::high;
    return known_without_events ? Confidence::medium : Confidence::low;
  case Basis::traces:
    return static_cast<double>(ctx.result.traces.steps.size()) >= kManySteps ? Confidence::medium
                                                                             : Confidence::low;
  case Basis::recorded:
    return cause == Cause::idle_gpu || cause == Cause::start ? Confidence::medium : Confidence::low;
  case Basis::steps:
    return static_cast<double>(step_count(ctx.result)) >= kManySteps ? Confidence::high
                                                                     : Confidence::medium;
  case Basis::cores:
    return static_cast<double>(ctx.ledger.samples) < kManySamples ? Confidence::low
                                                                  : Confidence::medium;
  case Basis::logged:
  case Basis::none:
    break;
  }
  return Confidence::low;
}

/// What no stretch of it shows more than others holds all along.
std::vector<TimeSpan> windows_of(const DiagnosisContext& ctx, Cause cause) {
  const std::vector<TimeSpan>& windows = ctx.ledger.windows[index_of(cause)];
  if (!windows.empty() || ctx.ledger.basis != Basis::samples) return windows;
  const TimeSpan all =
      cause == Cause::idle_gpu ? ctx.result.job.span.value_or(ctx.loop.span) : ctx.loop.span;
  if (all.length() <= 0) return {};
  return {all};
}

double judged_seconds(const Ledger& ledger, const Account& account) {
  double seconds = account.paid - account.unmeasured;
  if (ledger.phases_aside)
    seconds -= account.lost[index_of(Cause::start)] + account.lost[index_of(Cause::finish)];
  return seconds;
}

std::vector<result::Place> places(const Ledger& ledger, Cause cause) {
  std::vector<result::Place> out;
  for (const Account& account : ledger.accounts)
    if (const double lost = account.lost[index_of(cause)]; lost > 0)
      out.push_back({account.node, account.device, "",
                     std::min(lost / judged_seconds(ledger, account), 1.0)});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.share > b.share; });
  if (out.size() > result::kMaxPlaces) out.resize(result::kMaxPlaces);
  return out;
}

/// "6 profiled steps", "2 iterations of the serving engine": with what marks them in the trace.
std::string traced_ground(const result::Traces& traces) {
  using result::StepSource;
  StepSource source = StepSource::none; // the best that any trace has
  for (const result::TraceFile& file : traces.files)
    source = std::min(source, file.step_source);
  const std::int64_t steps =
      std::count_if(traces.steps.begin(), traces.steps.end(),
                    [](const auto& step) { return step.number.has_value(); });
  switch (source) {
  case StepSource::profiler_step:
    return words::counted(steps, "profiled step");
  case StepSource::optimizer_step:
    return words::counted(steps, "iteration") + " between calls of the optimizer";
  case StepSource::data_loader:
    return words::counted(steps, "iteration") + " between batches of the data loader";
  case StepSource::engine_iteration:
    return words::counted(steps, "iteration") + " of the serving engine";
  case StepSource::module_call:
    return words::counted(steps, "call") + " of the model";
  case StepSource::graph_launch:
    return words::counted(steps, "iteration") + " between graph launches";
  case StepSource::none:
    break;
  }
  return traces.files.size() == 1 ? "one trace without marked steps"
                                  : "traces without marked steps";
}

} // namespace

std::int64_t step_count(const result::Result& result) {
  std::int64_t count = 0;
  for (const result::StepRow& row : result.steps)
    count += row.count;
  return count;
}

bool DiagnosisContext::events_known() const {
  return std::any_of(processes.begin(), processes.end(),
                     [](const ProcessTime& process) { return !process.profiled; });
}

void set_windows(std::vector<TimeSpan> windows, result::Finding& finding) {
  finding.window_count = static_cast<std::int64_t>(windows.size());
  finding.window_seconds = in_seconds(total_length(windows));
  std::stable_sort(windows.begin(), windows.end(),
                   [](const TimeSpan& a, const TimeSpan& b) { return a.length() > b.length(); });
  if (windows.size() > result::kMaxWindows) windows.resize(result::kMaxWindows);
  std::sort(windows.begin(), windows.end(),
            [](const TimeSpan& a, const TimeSpan& b) { return a.first < b.first; });
  finding.windows = std::move(windows);
}

std::optional<std::string> how_to_trace(const DiagnosisContext& ctx) {
  if (!ctx.result.traces.empty()) return std::nullopt;
  if (!ctx.result.job.recorder)
    return fmt::format("Run the job again with 'debrief record': it profiles a few steps, which "
                       "show what {} for.",
                       gpus_wait(ctx));
  if (!ctx.events_known() || !ctx.ledger.of_gpus()) return std::nullopt;
  return fmt::format("Record until there is a trace, which shows what {} for: it is taken 20 "
                     "optimizer steps or 15 s into training. --trace after=5 takes it earlier.",
                     gpus_wait(ctx));
}

std::string ground_of(const DiagnosisContext& ctx) {
  std::vector<std::string> parts;
  if (ctx.ledger.basis == Basis::recorded) parts.emplace_back("SageMaker's rule outputs");
  if (ctx.ledger.samples > 0) parts.push_back(words::counted(ctx.ledger.samples, "sample"));
  if (ctx.events_known()) parts.push_back(words::counted(step_count(ctx.result), "step"));
  if (!ctx.result.traces.empty()) parts.push_back(traced_ground(ctx.result.traces));
  if (parts.empty() && step_count(ctx.result) > 0)
    parts.push_back(words::counted(step_count(ctx.result), "step"));
  if (parts.empty() && ctx.loop.start_known) parts.emplace_back("when the first step began");
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::optional<result::Finding> cost_finding(const DiagnosisContext& ctx, result::FindingKind kind) {
  const Cause cause = spec_of(kind).cause.value();
  const double share = ctx.ledger.share(cause);
  if (share < kMinReportedShare) return std::nullopt;
  result::Finding finding;
  finding.kind = kind;
  finding.score = std::min(share, 1.0);
  finding.confidence = confidence_in(ctx, cause);
  finding.severity = share >= kCritical  ? Severity::critical
                     : share >= kWarning ? Severity::warning
                                         : Severity::info;
  // A few profiled steps, or seconds, are not the job.
  const double each = ctx.ledger.lost(cause) / static_cast<double>(ctx.ledger.accounts.size());
  const bool of_time = !is_about_model(kind);
  if (of_time && ctx.ledger.basis != Basis::traces && each < kMinLostSeconds)
    finding.severity = Severity::info;
  if (of_time && finding.confidence == Confidence::low && ctx.ledger.basis != Basis::recorded)
    finding.severity = std::min(finding.severity, Severity::warning);
  if (cause != Cause::idle_gpu && cause != Cause::start && cause != Cause::finish)
    finding.gain = loop_gain(ctx, cause);
  finding.ground = ground_of(ctx);
  set_windows(windows_of(ctx, cause), finding);
  finding.where = places(ctx.ledger, cause);
  return finding;
}

double loop_gain(const DiagnosisContext& ctx, Cause cause) {
  double in_loop = 0;
  double lost = 0;
  double busy = 0;
  for (const Account& account : ctx.ledger.accounts) {
    if (account.lost[index_of(Cause::idle_gpu)] > 0) continue;
    in_loop += account.in_loop;
    lost += std::min(account.lost[index_of(cause)], account.in_loop);
    busy += account.busy_in_loop;
  }
  const double left = std::max(in_loop - lost, busy);
  return left > 0 ? std::max(in_loop / left, 1.0) : 1;
}

std::string the_gpus(const DiagnosisContext& ctx) {
  return ctx.ledger.accounts.size() == 1 ? "The GPU" : "The GPUs";
}

std::string lower_gpus(const DiagnosisContext& ctx) {
  return ctx.ledger.accounts.size() == 1 ? "the GPU" : "the GPUs";
}

std::string gpus_wait(const DiagnosisContext& ctx) {
  return lower_gpus(ctx) + (ctx.ledger.accounts.size() == 1 ? " waits" : " wait");
}

std::string busy_in_loop(const DiagnosisContext& ctx) {
  if (ctx.ledger.basis == Basis::steps)
    return fmt::format("Steps took {} of the training loop",
                       words::percent(ctx.ledger.busy_share_in_loop()));
  if (!ctx.ledger.of_gpus())
    return fmt::format("CPU cores were busy {} of the time",
                       words::percent(ctx.ledger.busy_share_in_loop()));
  // A GPU is busy with a collective, too, but computes nothing.
  const char* did = ctx.ledger.by_sm_activity                                     ? "did real work"
                    : ctx.ledger.without_collectives || ctx.ledger.without_copies ? "computed"
                    : ctx.ledger.accounts.size() == 1                             ? "was busy"
                                                                                  : "were busy";
  return fmt::format("{} {} {} of the {}", the_gpus(ctx), did,
                     words::percent(ctx.ledger.busy_share_in_loop()),
                     ctx.ledger.basis == Basis::traces ? "profiled time" : "training loop");
}

const char* kind_of_time(const DiagnosisContext& ctx) {
  return ctx.ledger.of_gpus() ? "GPU time" : "time";
}

std::string share_of_job(const DiagnosisContext& ctx, double score) {
  if (ctx.ledger.basis == Basis::traces)
    return fmt::format("{} of the profiled {}", words::percent(score), kind_of_time(ctx));
  const auto counts = [&](double seconds) {
    return seconds > result::kUnmeasuredSaid * ctx.ledger.paid();
  };
  return fmt::format("{} of the {} {}{}", words::percent(score),
                     counts(ctx.ledger.set_aside()) ? "training loop's" : "job's",
                     counts(ctx.ledger.unmeasured()) ? "measured " : "", kind_of_time(ctx));
}

std::optional<HostUse> host_use(const DiagnosisContext& ctx, Cause cause) {
  double cores_of_all = 0;
  double nodes = 0;
  SampleSum working;
  for (const aggregate::NodeSeries& node : ctx.series) {
    const aggregate::NodeMetricSeries* cpu = node.find(result::Metric::cpu);
    if (cpu == nullptr || cpu->devices.size() < 2) continue; // cores are not known
    const auto cores = static_cast<double>(cpu->devices.size());
    ++nodes;
    cores_of_all += cores;
    add_within(*cpu, ctx.ledger.windows[index_of(cause)], cores / 100, working);
  }
  if (working.samples == 0) return std::nullopt;
  return HostUse{working.sum / working.samples, cores_of_all / nodes};
}

std::optional<double> occupied_memory(const DiagnosisContext& ctx) {
  std::optional<double> most;
  for (const MemorySeries& series : ctx.memory.gpus)
    if (series.occupied()) most = std::max(most.value_or(0), series.highest);
  return most;
}

std::optional<double> median_step(const result::Result& result) {
  const result::StepRow* longest = training_steps(result);
  if (longest == nullptr) return std::nullopt;
  std::vector<double> medians;
  for (const result::StepRow& row : result.steps)
    if (row.mode == longest->mode) medians.push_back(row.p50);
  return median(std::move(medians));
}

const result::StepRow* training_steps(const result::Result& result) {
  const result::StepRow* best = nullptr;
  for (const result::StepRow& row : result.steps) {
    const bool better = best == nullptr ||
                        (row.mode == result::kTrainMode && best->mode != result::kTrainMode) ||
                        (row.mode == best->mode && row.p50 > best->p50);
    if (better &&
        (best == nullptr || row.mode == result::kTrainMode || best->mode != result::kTrainMode))
      best = &row;
  }
  return best;
}

} // namespace debrief::findings
