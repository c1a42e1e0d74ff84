// The job came to a bad end: what ended it, where, and what to do about it. Nothing that made it
// slow matters as much.
#include "findings/detectors/detectors.h"
#include "findings/failure_kind.h"
#include "findings/memory_climb.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "result/batch_size.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

namespace debrief::findings {

namespace {

using namespace thresholds;

/// What else is known of a job's last minute.
struct LastMoments {
  std::optional<MemoryClimb> climb;
  std::optional<double> gpu_memory; ///< percent that the fullest GPU occupied
  double oom_kills = 0;             ///< by the kernel, in the job's control group
  double gpu_errors = 0;            ///< XID and uncorrected ECC errors of the job's GPUs
};

/// How much a counter rose in the last minute.
double gained(const job::MetricSeries& series, Microseconds end) {
  constexpr double kMost = 1e6; // beyond it is no count
  const auto times = series.time_span();
  const auto first = std::lower_bound(times.begin(), times.end(), end - kJustBeforeEnd);
  if (first == times.end()) return 0;
  // From the sample before: the recorder looks at errors of GPUs once in a while.
  const auto from = std::max<std::ptrdiff_t>(0, first - times.begin() - 1);
  const double gain = series.values.back() - series.values[static_cast<std::size_t>(from)];
  return gain >= 1 && gain <= kMost ? gain : 0;
}

LastMoments last_moments(const DiagnosisContext& ctx, Microseconds end) {
  LastMoments last;
  last.climb = memory_climb(ctx.metrics, end);
  last.gpu_memory = memory_at_end(ctx.metrics, end);
  for (const job::MetricSeries& series : ctx.metrics) {
    const job::MetricName& name = series.recorded_as;
    if (name.type == "cgroup" && name.name == "OOMKills")
      last.oom_kills += gained(series, end);
    else if (name.type == "gpu" &&
             (name.dimension == "GPUXIDErrors" || name.dimension == "GPUECCUncorrectedErrors"))
      last.gpu_errors += gained(series, end);
  }
  return last;
}

/// Training steps in a second, where enough were seen to tell.
std::optional<double> steps_per_second(const DiagnosisContext& ctx) {
  const result::StepRow* steps = training_steps(ctx.result);
  const result::JobSummary& job = ctx.result.job;
  if (steps == nullptr || static_cast<double>(steps->count) < kMinSamples ||
      !job.training_loop_start || !job.training_loop_end ||
      *job.training_loop_end <= *job.training_loop_start)
    return std::nullopt;
  return static_cast<double>(steps->count) /
         in_seconds(*job.training_loop_end - *job.training_loop_start);
}

std::string climb_words(const DiagnosisContext& ctx, const MemoryClimb& climb) {
  const auto speed = steps_per_second(ctx);
  const std::string rate =
      speed ? fmt::format("{} per iteration", to_human_bytes(climb.per_second() / *speed))
            : fmt::format("{} per second", to_human_bytes(climb.per_second()));
  return fmt::format(" GPU memory grew by {} {}, up to {}.", rate,
                     climb.since_start
                         ? "from the start"
                         : fmt::format("in the last {}", to_human_duration(climb.seconds)),
                     to_human_bytes(climb.to));
}

/// "CUDA out of memory", "ValueError": what a job dies of.
std::string name_of(const result::Failure& failure, FailureKind kind) {
  const std::string type = failure.type.value_or("");
  const std::string message = failure.message.value_or("");
  if (kind == FailureKind::gpu_memory) {
    for (const char* device : {"HIP", "XPU"})
      if (message.starts_with(std::string{device} + " "))
        return device + std::string{" out of memory"};
    return "CUDA out of memory";
  }
  if (kind == FailureKind::host_memory) return "host memory running out";
  if (kind == FailureKind::loader_worker) return "a crash of a data-loader worker";
  constexpr std::size_t kLongest = 60; // bytes
  return printable(cut_off(type.substr(type.rfind('.') + 1), kLongest));
}

/// " in forward (model.py:41)", or nothing.
std::string place_of(const result::Failure& failure) {
  const result::FailureFrame* frame = telling_frame(failure);
  if (frame == nullptr) return "";
  const std::string where = frame->line > 0
                                ? fmt::format("{}:{}", printable(frame->file), frame->line)
                                : printable(frame->file);
  if (frame->function.empty() || frame->function == "<module>") return fmt::format(" in {}", where);
  return fmt::format(" in {} ({})", printable(frame->function), where);
}

std::string processes_text(double count) {
  return count < 2 ? "1 process"
                   : fmt::format("{} processes", count_text(static_cast<std::int64_t>(count)));
}

/// "Rank 3", or "It".
std::string who(const result::Failure& failure) {
  return failure.rank && failure.processes > 1 ? fmt::format("Rank {}", *failure.rank) : "It";
}

std::string at_step(const result::Failure& failure) {
  return failure.step ? fmt::format(" at step {}", count_text(*failure.step)) : "";
}

std::string sentence(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == ' '))
    text.pop_back();
  return text + ".";
}

void word_memory(const DiagnosisContext& ctx, const result::Failure& failure,
                 const LastMoments& last, result::Finding& finding) {
  const FailedAllocation allocation = failed_allocation(failure.message.value_or(""));
  finding.why = fmt::format("{} died{}{}", who(failure), at_step(failure), place_of(failure));
  if (allocation.asked) {
    finding.why += fmt::format(": it asked for {}", to_human_bytes(*allocation.asked));
    finding.evidence.push_back({"memory asked for", *allocation.asked, "B"});
  }
  if (allocation.asked && allocation.free) {
    finding.why += fmt::format(", {} {} free", to_human_bytes(*allocation.free),
                               *allocation.free == 1 ? "was" : "were");
    finding.evidence.push_back({"memory free", *allocation.free, "B"});
  }
  finding.why += ".";
  if (last.climb) {
    finding.why += climb_words(ctx, *last.climb);
    finding.actions = {"Look for what the loop keeps on the GPU: add up losses with .item() or "
                       ".detach(), and clear lists of outputs.",
                       "Run it again with 'debrief record --memory': the snapshot shows which line "
                       "allocated what."};
    return;
  }
  const auto batch = result::batch_size(ctx.result);
  finding.actions = {
      batch ? fmt::format("Use a smaller batch (now {}), and accumulate gradients to keep its "
                          "effect.",
                          batch->value)
            : "Use a smaller batch, and accumulate gradients to keep its effect.",
      "Checkpoint activations with torch.utils.checkpoint, or set "
      "PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True where memory is fragmented."};
}

/// What to do about an exception, by its kind.
std::vector<std::string> actions_for(const result::Failure& failure, FailureKind kind) {
  const result::FailureFrame* frame = telling_frame(failure);
  switch (kind) {
  case FailureKind::host_memory:
    return {"Ask for more memory, or use fewer data-loader workers, a smaller prefetch_factor, or "
            "data that workers share or map from disk."};
  case FailureKind::device_assert:
    return {"Run it again with CUDA_LAUNCH_BLOCKING=1: the traceback then names the operator.",
            "Check that labels and indices are within the range that the model has."};
  case FailureKind::gpu_error:
    return {"Run it again with CUDA_LAUNCH_BLOCKING=1: the traceback then names the operator.",
            "Check the GPU with 'nvidia-smi -q' and the kernel's log for XID errors."};
  case FailureKind::shared_memory:
    return {"Give the container more shared memory (docker run --shm-size=16g), or use fewer "
            "data-loader workers."};
  case FailureKind::loader_worker:
    return {
        "Run it again with num_workers=0 under 'python -X faulthandler', which prints the stack "
        "of the crash in the dataset's code.",
        "If the kernel killed the worker for lack of memory ('dmesg' says so), use fewer of "
        "them."};
  case FailureKind::disk_full:
    return {"Make room on the disk that the job writes to, or keep fewer checkpoints."};
  case FailureKind::no_module:
    return {"Install the missing module into the environment that the job runs in."};
  case FailureKind::collective:
    return {"Check that all ranks call the same collectives in the same order, and that none of "
            "them ended early.",
            "Run it again with TORCH_DISTRIBUTED_DEBUG=DETAIL, which names the mismatch."};
  default:
    break;
  }
  if (frame == nullptr) return {"Read the traceback in the command's output."};
  return {fmt::format("Look at {}{}. The whole traceback is in the command's output.",
                      printable(frame->file),
                      frame->line > 0 ? fmt::format(", line {}", frame->line) : "")};
}

void word_exception(const result::Failure& failure, FailureKind kind, result::Finding& finding) {
  finding.why =
      fmt::format("{} raised {}{}{}", who(failure), printable(failure.type.value_or("")),
                  at_step(failure), kind == FailureKind::loader_worker ? "" : place_of(failure));
  finding.why = sentence(failure.message && !failure.message->empty()
                             ? finding.why + ": " + printable(*failure.message)
                             : finding.why);
  finding.actions = actions_for(failure, kind);
}

/// " after 12 min", where it is known when the job began.
std::string after(const DiagnosisContext& ctx, const result::Failure& failure) {
  const auto& span = ctx.result.job.span;
  if (!span) return "";
  const Microseconds end = std::max(span->first, failure.time.value_or(span->last));
  return " after " + to_human_duration(in_seconds(end - span->first));
}

void word_signal(const DiagnosisContext& ctx, const result::Failure& failure, std::int64_t signal,
                 const LastMoments& last, result::Finding& finding) {
  const std::string name = signal_name(signal);
  if (signal == SIGKILL && last.oom_kills > 0) {
    finding.title = "The kernel killed the job: out of memory";
    finding.why = fmt::format("{} was killed by {}, when the kernel killed {} of the job's control "
                              "group for lack of memory.",
                              who(failure), name, processes_text(last.oom_kills));
    finding.actions = actions_for(failure, FailureKind::host_memory);
    return;
  }
  finding.title = fmt::format(
      "{} was killed by {}",
      failure.rank && failure.processes > 1 ? fmt::format("Rank {}", *failure.rank) : "The job",
      name);
  finding.why = fmt::format("{} ended by {}{}, without an exception.", who(failure), name,
                            after(ctx, failure));
  if (signal == SIGKILL)
    finding.actions = {"Ask whoever may send SIGKILL: the scheduler's log, its memory limit, and "
                       "'dmesg' for the kernel's OOM killer."};
  else
    finding.actions = {"Run it again with 'python -X faulthandler', which prints the Python stack "
                       "of a crash.",
                       "Suspect compiled extensions first, and whether they match the version of "
                       "PyTorch."};
}

void word_exit(const DiagnosisContext& ctx, const result::Failure& failure, const LastMoments& last,
               result::Finding& finding) {
  const bool full = last.gpu_memory && *last.gpu_memory >= kFullMemory;
  if (!failure.exit_code) {
    finding.title = "The job failed";
    finding.why = fmt::format("It failed{}, by its status. Neither an exception nor an exit code "
                              "was recorded.",
                              after(ctx, failure));
    finding.actions = {"Read the end of the job's log."};
    return;
  }
  finding.title = full ? "The job likely died of GPU out of memory"
                       : fmt::format("The job exited with code {}", *failure.exit_code);
  finding.why = fmt::format(
      "It exited with code {}{}.", *failure.exit_code,
      full ? fmt::format(" when its GPU's memory was {} full", percent_text(*last.gpu_memory))
           : "; no exception of a Python process was seen");
  finding.actions = {"Read the end of the command's output."};
  if (!full) return;
  finding.confidence = result::Confidence::medium;
  if (last.climb) finding.why += climb_words(ctx, *last.climb);
  finding.actions = {"Look for what the loop keeps on the GPU: add up losses with .item() or "
                     ".detach(), and clear lists of outputs.",
                     "If the output shows no such error, read its last lines."};
}

} // namespace

std::optional<result::Finding> find_failed(const DiagnosisContext& ctx) {
  if (!ctx.result.job.failure) return std::nullopt;
  const result::Failure& failure = *ctx.result.job.failure;
  const auto& span = ctx.result.job.span;
  const Microseconds end = failure.time.value_or(span ? span->last : 0);
  const LastMoments last = last_moments(ctx, end);
  const FailureKind kind = kind_of(failure);
  result::Finding finding;
  finding.kind = result::FindingKind::failed;
  finding.severity = result::Severity::critical;
  finding.confidence = result::Confidence::high;
  finding.ground = failure.type ? "the exception that ended it" : "how the command ended";
  switch (kind) {
  case FailureKind::killed:
  case FailureKind::crashed:
    word_signal(ctx, failure, *ending_signal(failure), last, finding);
    break;
  case FailureKind::exit_code:
  case FailureKind::unknown:
    word_exit(ctx, failure, last, finding);
    break;
  default:
    finding.title = fmt::format("The job died of {}", name_of(failure, kind));
    if (kind == FailureKind::gpu_memory)
      word_memory(ctx, failure, last, finding);
    else
      word_exception(failure, kind, finding);
  }
  if (last.oom_kills > 0 && kind != FailureKind::killed)
    finding.why += " In its last minute, the kernel killed processes of its control group for lack "
                   "of memory.";
  if (last.gpu_errors > 0) {
    finding.why += " In its last minute, its GPU reported errors.";
    finding.actions.insert(finding.actions.begin(),
                           "Check the GPU: 'nvidia-smi -q' and XID errors in 'dmesg'.");
  }
  if (failure.processes > 1 && failure.rank)
    finding.why += fmt::format(" {} failed, and it was the first.",
                               processes_text(static_cast<double>(failure.processes)));
  if (failure.exit_code)
    finding.evidence.push_back({"exit code", static_cast<double>(*failure.exit_code), ""});
  if (failure.signal)
    finding.evidence.push_back({"signal", static_cast<double>(*failure.signal), ""});
  if (failure.step) finding.evidence.push_back({"step", static_cast<double>(*failure.step), ""});
  if (last.climb)
    finding.evidence.push_back({"GPU memory growth per second", last.climb->per_second(), "B"});
  if (last.gpu_memory) finding.evidence.push_back({"GPU memory at the end", *last.gpu_memory, "%"});
  if (last.oom_kills > 0) finding.evidence.push_back({"processes killed", last.oom_kills, ""});
  if (last.gpu_errors > 0) finding.evidence.push_back({"GPU errors", last.gpu_errors, ""});
  if (failure.node) finding.where.push_back({*failure.node, "", "", 0});
  return finding;
}

} // namespace debrief::findings
