// How findings word numbers: short enough for a sentence, and the same everywhere.
#pragma once

#include "findings/case.h"
#include "result/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace debrief::findings::words {

/// 0.123 -> "12 %", 0.0123 -> "1.2 %".
std::string percent(double share);

/// 1921 -> "1,921".
std::string grouped(std::int64_t count);

/// 1921, "step" -> "1,921 steps".
std::string counted(std::int64_t count, const char* noun);

/// "The GPU" or "The GPUs".
std::string the_gpus(const Case& of);

/// "the GPU waits" or "the GPUs wait".
std::string lower_gpus(const Case& of);

/// "The GPU was busy 12 % of the training loop" or, of several, "The GPUs were …"; without GPUs
/// what stands for their work: steps, or cores.
std::string busy_in_loop(const Case& of);

/// "GPU time", or "time" of a job without GPUs.
const char* kind_of_time(const Case& of);

/// "12 % of the job's GPU time"; of its "measured GPU time" where some of it has no samples, as
/// scores are shares of what was measured.
std::string share_of_job(const Case& of, double score);

/// "algo-1 gpu0" of names as recorded, fit for a sentence; either may be empty.
std::string place(const std::string& node, const std::string& device);

/// " 4.2 of 16 cores": how many worked while a cause held, mean over its windows and nodes.
struct HostUse {
  double working = 0;
  double cores = 0;
};

std::optional<HostUse> host_use(const Case& of, Cause cause);

/// The batch size that the job's hyperparameters give, under any of its usual names; nothing where
/// it is beyond any that there is.
struct BatchSize {
  std::string name;
  std::int64_t value = 0;
};

std::optional<BatchSize> batch_size(const result::JobSummary& job);

/// Highest occupied memory of a GPU, percent; nothing where "GPU memory" is how often memory is
/// read and written, as SageMaker records it.
std::optional<double> occupied_memory(const Case& of);

/// The training steps of the process whose median is longest: it holds up the others.
const result::StepRow* training_steps(const result::Result& result);

} // namespace debrief::findings::words
