// What the training script logged, over its steps: losses, learning rates, whatever else; and what
// that says about the speed of training.
#pragma once

#include "result/enum_names.h"
#include "util/time.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// What a scalar is about, by its name; the order in which the page shows them.
/// A part of a loss (an entropy, a discriminator's) may rise where the model learns.
enum class CurveTopic {
  loss,
  loss_part,
  accuracy,
  reward,
  learning_rate,
  gradient_norm,
  throughput,
  other
};

template <>
inline constexpr auto kNames<CurveTopic> =
    std::to_array<const char*>({"loss", "loss_part", "accuracy", "reward", "learning_rate",
                                "gradient_norm", "throughput", "other"});

/// What data it was computed on.
enum class CurveSplit { train, evaluation, unknown };

template <>
inline constexpr auto kNames<CurveSplit> = std::to_array<const char*>({"train", "evaluation",
                                                                       "unknown"});

/// One scalar over steps. `steps`, `seconds` and `values` are its course, thinned to
/// kMaxCurvePoints without losing its extremes; all else is of every value that was logged.
struct Curve {
  std::string name;   ///< "train/loss"; with its run before it where several runs have the name
  std::string source; ///< "TensorBoard"
  CurveTopic topic = CurveTopic::other;
  CurveSplit split = CurveSplit::unknown;
  std::int64_t count = 0;
  std::int64_t first_step = 0;
  std::int64_t last_step = 0;
  std::optional<double> first; ///< of finite values, as the next three; absent where there is none
  std::optional<double> last;
  std::optional<double> min;
  std::optional<double> max;
  std::optional<std::int64_t> min_step;
  std::optional<std::int64_t> max_step;
  std::int64_t not_finite = 0;                       ///< values that are NaN or infinite
  std::optional<std::int64_t> first_not_finite = {}; ///< its step
  std::vector<std::int64_t> steps;
  std::vector<double> seconds; ///< since the job's start; empty where the tool writes no times
  std::vector<std::optional<double>> values; ///< absent: NaN or infinite
};

inline constexpr std::size_t kMaxCurvePoints = 400;
inline constexpr std::size_t kMaxOtherCurvePoints = 60; ///< of what is about nothing known
inline constexpr std::size_t kMaxCurves = 300;

/// How fast the job trained, by its own log. Absent what the log does not say.
struct TrainingSpeed {
  std::optional<std::int64_t> steps; ///< the last one that was logged
  std::optional<double> steps_per_second;
  std::optional<double> samples_per_second;
  std::optional<double> tokens_per_second;
  std::optional<double> runtime;            ///< seconds, evaluation included
  std::optional<double> evaluation_seconds; ///< of all evaluations
  std::optional<double> evaluation_percent; ///< of the runtime
  std::optional<std::int64_t> evaluations;
  std::optional<double> checkpoint_seconds; ///< of all checkpoints, as far as the job waited
  std::optional<double> checkpoint_percent; ///< of the runtime, else of the job's duration
  std::optional<std::int64_t> checkpoints;
  std::optional<double> flops;       ///< floating-point operations of all steps
  std::optional<double> tflops_rate; ///< TFLOP/s, of all GPUs together
  std::optional<double> mfu_percent; ///< of the GPUs' peak in `mfu_precision`
  std::string mfu_precision;         ///< "bf16"; empty where the peak is not known
};

struct Curves {
  std::vector<Curve> curves; ///< by topic, training before evaluation, then by name
  std::int64_t left_out = 0; ///< scalars beyond kMaxCurves
  TrainingSpeed speed;

  bool empty() const { return curves.empty() && !speed.checkpoints; }
};

} // namespace debrief::result
