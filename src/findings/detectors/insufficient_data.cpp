// What is missing to say more, and how to record it.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/trace_evidence.h"
#include "findings/words.h"
#include "result/main_curves.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

using namespace thresholds;

double measured_seconds(const Ledger& ledger) {
  double most = 0;
  for (const Account& account : ledger.accounts)
    most = std::max(most, account.in_loop);
  return most;
}

/// Samples of the first minute say nothing of the hour behind it.
bool mostly_unmeasured(const DiagnosisContext& ctx) {
  return ctx.ledger.unmeasured() > kMaxUnmeasured * ctx.ledger.paid();
}

/// A start or finish that is long enough to be told needs no loop beside it.
bool has_long_phase(const DiagnosisContext& ctx) {
  return std::max(phase_seconds(ctx, Cause::start), phase_seconds(ctx, Cause::finish)) >= kMinPhase;
}

/// Whether most steps were profiled, with Python stacks: that slows the CPU several times, so that
/// what GPUs wait for is the profiler.
bool shows_the_profiler(const DiagnosisContext& ctx) {
  const result::Traces& traces = ctx.result.traces;
  return !traces.files.empty() && ctx.ledger.basis == Basis::samples &&
         2 * std::ssize(traces.steps) >= step_count(ctx.result) &&
         std::all_of(traces.files.begin(), traces.files.end(), [](const result::TraceFile& file) {
           return std::find(file.not_recorded.begin(), file.not_recorded.end(), "stacks") ==
                  file.not_recorded.end();
         });
}

/// "4 samples in 1.6 s and 0 steps".
std::string what_there_is(const DiagnosisContext& ctx) {
  const std::string steps = words::counted(step_count(ctx.result), "step");
  if (ctx.ledger.basis != Basis::samples && ctx.ledger.basis != Basis::cores)
    return fmt::format("0 samples and {}", steps);
  return fmt::format("{} in {} and {}", words::counted(ctx.ledger.samples, "sample"),
                     to_human_duration(measured_seconds(ctx.ledger)), steps);
}

/// Whether there are neither samples nor steps to judge by.
bool has_few_samples(const DiagnosisContext& ctx) {
  return static_cast<double>(ctx.ledger.samples) < kMinSamples &&
         step_count(ctx.result) < kMinSteps;
}

/// Kinds that say what they say without events.
bool needs_no_events(result::FindingKind kind) {
  return kind == result::FindingKind::idle_gpus || kind == result::FindingKind::slow_start ||
         kind == result::FindingKind::slow_finish || kind == result::FindingKind::load_imbalance;
}

constexpr const char* kRecordIt =
    "Run the job with 'debrief record': it records system metrics, steps and a PyTorch trace.";

/// Whether the job left nothing about its machine and its framework: no samples, events or traces.
bool knows_no_time(const DiagnosisContext& ctx) {
  return ctx.metrics.empty() && ctx.result.job.processes.empty() && ctx.result.traces.empty() &&
         ctx.ledger.basis != Basis::recorded;
}

/// Rules that could judge something. Where nothing tells of time, all of them are about the model.
std::int64_t checks_of_model(const result::Result& result) {
  return std::count_if(result.rules.begin(), result.rules.end(), [](const result::RuleRow& row) {
    return row.status != result::RuleStatus::not_evaluated;
  });
}

/// A job that left tensors or a training log and nothing else was diagnosed as far as that goes.
std::int64_t count_topic(const result::Curves& curves, result::CurveTopic topic) {
  return std::count_if(curves.curves.begin(), curves.curves.end(),
                       [&](const result::Curve& curve) { return curve.topic == topic; });
}

/// Losses that were logged, whole or in parts.
std::int64_t losses_of(const result::Curves& curves) {
  return count_topic(curves, result::CurveTopic::loss) +
         count_topic(curves, result::CurveTopic::loss_part);
}

bool has_the_loss(const result::Curves& curves) {
  return main_loss(curves, result::CurveSplit::train) != nullptr ||
         main_loss(curves, result::CurveSplit::evaluation) != nullptr;
}

void say_model_only(const result::Result& result, result::Finding& finding) {
  const std::int64_t checks = checks_of_model(result);
  const std::int64_t triggered =
      std::count_if(result.rules.begin(), result.rules.end(), [](const result::RuleRow& row) {
        return row.status == result::RuleStatus::issue_found;
      });
  const auto curves =
      static_cast<std::int64_t>(result.curves.curves.size()) + result.curves.left_out;
  finding.title = triggered > 0
                      ? "Time was not measured; see what the rules say about the model"
                      : fmt::format("No sign of trouble in {}",
                                    curves > 0 ? words::counted(curves, "curve")
                                               : words::counted(checks, "rule") + " on the model");
  if (checks > 0)
    finding.why = fmt::format("{} of {} on the model triggered. ",
                              triggered == 0 ? "None" : std::to_string(triggered),
                              words::counted(checks, "rule"));
  if (const std::int64_t parts = losses_of(result.curves);
      parts > 0 && !has_the_loss(result.curves))
    finding.why +=
        fmt::format("The log has {} of a loss and no total, so the model was not judged. ",
                    words::counted(parts, "part"));
  finding.why += "No GPU samples, steps or traces were recorded, so debrief can't tell where the "
                 "time went.";
  finding.actions = {kRecordIt};
}

/// Of a trace with work of the GPU that is not training.
void say_what_was_traced(const DiagnosisContext& ctx, result::Finding& finding) {
  const result::Traces& traces = ctx.result.traces;
  finding.actions = {"Profile steps that have their usual pace: "
                     "torch.profiler.schedule(wait=5, warmup=2, active=4), with prof.step() after "
                     "each step.",
                     "Or run the job with 'debrief record', which profiles steps by itself."};
  if (shows_setup(traces)) {
    const SetupTime time = setup_time(traces);
    const result::SyncRow& longest = traces.setup.front();
    finding.title = "The trace shows set-up, not training";
    finding.why = fmt::format(
        "{} of the {} profiled went to work that later steps don't repeat, most of it in {}{}: {} "
        "in {}. It loads GPU code, compiles, captures graphs or tries out convolutions.",
        to_human_duration(time.setup), to_human_duration(time.profiled), printable(longest.call),
        longest.op.empty() || longest.op == longest.call ? "" : " of " + printable(longest.op),
        to_human_duration(longest.us / 1e6), words::counted(longest.calls, "call"));
    finding.evidence.push_back({"set-up", time.setup, "s"});
    finding.evidence.push_back({"profiled", time.profiled, "s"});
    return;
  }
  double busy_us = 0;
  double profiled_us = 0;
  for (const result::GpuActivity& gpu : traces.gpus) {
    busy_us += gpu.busy_us;
    profiled_us = std::max(profiled_us, gpu.profiled_us);
  }
  finding.title = "The trace is too short to judge";
  finding.why = fmt::format("It has {} with {} of GPU work, and no step is marked.",
                            to_human_duration(profiled_us / 1e6), to_human_duration(busy_us / 1e6));
  finding.evidence.push_back({"GPU work", busy_us / 1e6, "s"});
}

} // namespace

bool has_too_little_data(const DiagnosisContext& ctx) {
  switch (ctx.ledger.basis) {
  case Basis::none:
  case Basis::logged:
    return true;
  case Basis::samples:
  case Basis::cores:
    return has_few_samples(ctx) || mostly_unmeasured(ctx) ||
           (shows_the_profiler(ctx) && measured_seconds(ctx.ledger) < kMinSeconds) ||
           (measured_seconds(ctx.ledger) <= 0 && !has_long_phase(ctx));
  case Basis::traces: // even one iteration tells; confidence is low then
    return ctx.ledger.judged() <= 0 || shows_next_to_nothing(ctx.result.traces) ||
           shows_setup(ctx.result.traces);
  case Basis::steps:
    return step_count(ctx.result) == 1 || ctx.ledger.paid() <= 0; // 0: not counted
  case Basis::recorded:
    break;
  }
  return ctx.ledger.paid() <= 0;
}

bool is_conclusive(const DiagnosisContext& ctx) {
  if (has_too_little_data(ctx)) return false;
  const auto steps = static_cast<double>(step_count(ctx.result));
  switch (ctx.ledger.basis) {
  case Basis::samples:
  case Basis::cores:
    return steps >= kManySteps || has_long_phase(ctx) ||
           (static_cast<double>(ctx.ledger.samples) >= kMinSamples &&
            measured_seconds(ctx.ledger) >= kMinSeconds);
  case Basis::steps:
    return steps >= kManySteps || steps == 0; // 0: not counted
  default:
    return true;
  }
}

std::optional<result::Finding> find_insufficient_data(const DiagnosisContext& ctx,
                                                      const std::vector<result::Finding>& found) {
  result::Finding finding;
  finding.kind = result::FindingKind::insufficient_data;
  finding.severity = result::Severity::info;
  finding.confidence = result::Confidence::high;
  finding.ground = ground_of(ctx);
  if (has_too_little_data(ctx)) {
    finding.title = found.empty() ? "Not enough data to diagnose this job"
                                  : "Record more data to see where the time went";
    if (static_cast<double>(ctx.ledger.samples) >= kMinSamples && mostly_unmeasured(ctx)) {
      finding.why = fmt::format(
          "{} of the job's {} has no samples. Monitoring started late or stopped early.",
          words::percent(ctx.ledger.unmeasured() / ctx.ledger.paid()), kind_of_time(ctx));
      finding.actions = {"Record system metrics for the whole job, on every node. Data quality "
                         "shows when each node was sampled."};
      return finding;
    }
    if (shows_the_profiler(ctx)) {
      finding.why = fmt::format(
          "{} of {} were profiled with Python stacks, which slows them several "
          "times: what GPUs waited for is the profiler.",
          std::ssize(ctx.result.traces.steps), words::counted(step_count(ctx.result), "step"));
      finding.actions = {"Profile a few of many steps, or without with_stack=True."};
      return finding;
    }
    if (ctx.ledger.basis == Basis::traces) {
      say_what_was_traced(ctx, finding);
      return finding;
    }
    if (!ctx.result.traces.empty() && ctx.ledger.samples == 0) {
      const std::int64_t traces = std::ssize(ctx.result.traces.files);
      finding.why = fmt::format("{} {} no GPU work, so GPU use is unknown.",
                                words::counted(traces, "trace"), traces == 1 ? "has" : "have");
      finding.actions = {"If the job used a GPU, add torch.profiler.ProfilerActivity.CUDA to the "
                         "profiler's activities."};
      return finding;
    }
    if (found.empty() && knows_no_time(ctx) &&
        (checks_of_model(ctx.result) > 0 || losses_of(ctx.result.curves) > 0)) {
      say_model_only(ctx.result, finding);
      return finding;
    }
    finding.why =
        fmt::format("debrief needs at least {:.0f} samples, {} steps or a torch.profiler trace. "
                    "This job has {}.",
                    kMinSamples, kMinSteps, what_there_is(ctx));
    finding.actions = {ctx.result.job.recorder ? "Let the job run longer: half a minute is enough."
                                               : kRecordIt};
    return finding;
  }
  const auto trace = how_to_trace(ctx);
  if (ctx.result.job.recorder && !trace) return std::nullopt; // all that there is was recorded
  // Only where the missing would have told why time was lost.
  const auto guessed = std::find_if(found.begin(), found.end(), [](const result::Finding& other) {
    return other.score >= kWarning && !needs_no_events(other.kind) &&
           other.confidence != result::Confidence::high;
  });
  if (guessed == found.end()) return std::nullopt;
  std::vector<std::string> missing;
  const bool profiled = ctx.ledger.basis == Basis::traces;
  if (!ctx.events_known() && !profiled) {
    missing.emplace_back("single steps");
    if (ctx.result.data_loading.empty()) missing.emplace_back("data loading");
  }
  if (ctx.result.traces.empty()) missing.insert(missing.end(), {"operators", "kernels"});
  if (ctx.ledger.of_gpus() && ctx.ledger.basis != Basis::samples)
    missing.emplace_back("GPU utilization samples");
  if (missing.empty()) return std::nullopt;
  const std::string last = missing.size() > 1 ? " and " + missing.back() : "";
  if (!last.empty()) missing.pop_back();
  finding.title = "Record more data to confirm the cause";
  finding.why = fmt::format("debrief can't be sure why {} is lost: {}{} were not recorded.",
                            share_of_job(ctx, guessed->score), fmt::join(missing, ", "), last);
  finding.actions = {ctx.result.job.recorder ? *trace
                     : profiled
                         ? "Record system metrics along with the traces (a sample every 0.5 s or "
                           "faster): a few profiled steps are not the whole job."
                         : "Run the job again with 'debrief record', or record at least 4 steps "
                           "with torch.profiler and put the trace into the job's folder."};
  return finding;
}

} // namespace debrief::findings
