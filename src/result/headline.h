// The numbers that a reader sees first. Every output that quotes one of them takes it from here, so
// that a quantity has one value.
#pragma once

#include <cstdint>
#include <optional>

namespace debrief::result {

/// An iteration is a step and the wait before it: from the start of one step to that of the next.
struct IterationTimes {
  double mean = 0;                ///< seconds: the training loop over its steps
  std::optional<double> p50 = {}; ///< absent: moments of steps are not known
  std::optional<double> p95 = {};
  std::int64_t count = 0; ///< intervals between steps of the process that made the most
  bool profiled = false;  ///< of the few steps that traces have
};

/// The step alone, in seconds: of the process whose median is longest, which holds up the others.
struct StepTimes {
  double p50 = 0;
  double p95 = 0;
};

/// The most that a GPU held at a moment.
struct PeakMemory {
  std::optional<double> percent;        ///< of the GPU's memory
  std::optional<std::int64_t> bytes;    ///< absent: the GPU's size is not known
  std::optional<std::int64_t> capacity; ///< bytes
};

struct Headline {
  std::optional<double> busy_in_loop; ///< percent of the GPUs' measured time in the training loop
  std::optional<IterationTimes> iteration;
  std::optional<StepTimes> step;
  std::optional<PeakMemory> gpu_memory;
  std::optional<double> cores_busy;  ///< mean over the job, of all nodes together
  std::optional<std::int64_t> cores; ///< of all nodes together
  std::optional<double> startup;     ///< seconds before the training loop

  bool empty() const {
    return !busy_in_loop && !iteration && !step && !gpu_memory && !cores_busy && !startup;
  }
};

} // namespace debrief::result
