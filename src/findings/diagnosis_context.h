// What a detector looks at: the ledger and the figures of the result that explain it, with the
// facts and phrases that several detectors take from them.
#pragma once

#include "findings/ledger.h"
#include "findings/loop.h"
#include "findings/memory_series.h"
#include "findings/model_health.h"
#include "findings/process_time.h"
#include "job/metrics.h"
#include "job/python_stacks.h"
#include "result/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace debrief::findings {

struct DiagnosisContext {
  const result::Result& result;
  std::span<const aggregate::NodeSeries> series;
  const Ledger& ledger;
  const Loop& loop;
  std::span<const ProcessTime> processes;
  /// All that was sampled, with what no figure is made of; in the order of series_less.
  std::span<const job::MetricSeries> metrics = {};
  const ModelTrouble* trouble = nullptr; ///< null: nothing is known to be wrong with the model
  MemoryUse memory = {};
  const job::PythonStacks* stacks = nullptr; ///< null: none were sampled

  /// Whether events tell what processes did, other than in a few profiled steps.
  bool events_known() const;
};

/// Of all processes and modes.
std::int64_t step_count(const result::Result& result);

/// A finding of what the cause of its kind costs, with what all of them share: score, severity,
/// confidence, windows, places. Nothing where it costs too little to be named.
std::optional<result::Finding> cost_finding(const DiagnosisContext& ctx, result::FindingKind kind);

/// How many times faster the training loop would be without what it loses to `cause`: the GPU's own
/// work, and what is lost to other causes, stay. At least 1.
double loop_gain(const DiagnosisContext& ctx, Cause cause);

/// Keeps the longest of the windows and counts all.
void set_windows(std::vector<TimeSpan> windows, result::Finding& finding);

/// How to get a trace, which shows what GPUs wait for: nothing where there is one, or where the
/// recorder saw no steps to trace, or no GPU.
std::optional<std::string> how_to_trace(const DiagnosisContext& ctx);

/// "1,310 samples, 1,921 steps": what the figures rest on.
std::string ground_of(const DiagnosisContext& ctx);

/// "The GPU" or "The GPUs".
std::string the_gpus(const DiagnosisContext& ctx);

/// "the GPU" or "the GPUs".
std::string lower_gpus(const DiagnosisContext& ctx);

/// "the GPU waits" or "the GPUs wait".
std::string gpus_wait(const DiagnosisContext& ctx);

/// "The GPU was busy 12% of the training loop" or, of several, "The GPUs were …"; without GPUs
/// what stands for their work: steps, or cores.
std::string busy_in_loop(const DiagnosisContext& ctx);

/// "GPU time", or "time" of a job without GPUs.
const char* kind_of_time(const DiagnosisContext& ctx);

/// "12% of the job's GPU time"; of its "measured GPU time" where some of it has no samples, and of
/// "the training loop's" where startup is set aside, as scores are shares of what is judged.
std::string share_of_job(const DiagnosisContext& ctx, double score);

/// " 4.2 of 16 cores": how many worked while a cause held, mean over its windows and nodes.
struct HostUse {
  double working = 0;
  double cores = 0;
};

std::optional<HostUse> host_use(const DiagnosisContext& ctx, Cause cause);

/// Highest occupied memory of a GPU, percent; nothing where "GPU memory" is how often memory is
/// read and written, as SageMaker records it.
std::optional<double> occupied_memory(const DiagnosisContext& ctx);

/// Seconds of a training step: the median over processes of their medians; nothing without steps.
std::optional<double> median_step(const result::Result& result);

/// The training steps of the process whose median is longest: it holds up the others.
const result::StepRow* training_steps(const result::Result& result);

} // namespace debrief::findings
