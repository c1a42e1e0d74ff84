// What the result says about time: steps, and where the whole job's time went.
#pragma once

#include "result/enum_names.h"
#include "result/histogram.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::result {

/// Modes of steps are a recorder's own words, so any text can be one; these are known here.
inline constexpr std::string_view kTrainMode = "TRAIN";
inline constexpr std::string_view kEvalMode = "EVAL";

/// Of steps out of PyTorch traces. They are the few that were profiled: when the training loop
/// began and ended, and what was between them, is not known from them.
inline constexpr std::string_view kProfiledMode = "PROFILED";

/// One step that took much longer than its like.
struct OutlyingStep {
  std::optional<std::int64_t> number;
  std::optional<Microseconds> start; ///< absent where SageMaker's files are all there is
  std::optional<double> seconds;
};

/// The steps of one process in one mode; durations in seconds, over all of its steps.
struct StepRow {
  std::string process; ///< "algo-1-27"
  std::string mode;    ///< what the recorder calls it: kTrainMode, kProfiledMode, "PREDICT", …
  std::string source;  ///< see kFromTimelines (result/framework.h)
  std::int64_t count = 0;
  std::optional<double> total; ///< sum of the durations
  double mean = 0;
  double max = 0;
  double p99 = 0;
  double p95 = 0;
  double p50 = 0;
  double min = 0;
  std::optional<double> first;     ///< the first step, which warms up
  std::optional<double> stddev;    ///< of the steps after the first; absent for fewer than two
  std::optional<double> threshold; ///< a step above is outlying; absent where too few to say
  std::optional<std::int64_t> outliers;
  std::vector<OutlyingStep> outlying; ///< the first kMaxOutliers, longest first
  /// Medians of consecutive blocks of equally many steps, in the order of time, without the first
  /// step: how much the steps' speed varies in the course of the job. Of too few steps for
  /// kMinBlocks blocks each is a block of its own, the first one too.
  std::vector<double> block_medians;
  Histogram histogram; ///< 100 bins; of the steps up to the threshold if there is one
};

inline constexpr std::size_t kMaxOutliers = 200;
inline constexpr std::size_t kMaxBlocks = 20;
inline constexpr std::size_t kMinBlocks = 4;
inline constexpr std::size_t kStepsPerBlock = 5; ///< at least

/// What the job did in a part of its time. Steps are known by their mode.
enum class PhaseKind {
  initialization,
  steps,
  between_steps,
  finalization,
  unattributed,
  profiled ///< PyTorch traces were recorded
};

template <>
inline constexpr auto kNames<PhaseKind> = std::to_array<const char*>(
    {"initialization", "steps", "between steps", "finalization", "unattributed", "profiled"});

struct PhaseName {
  PhaseKind kind = PhaseKind::unattributed;
  std::string mode = {}; ///< of steps

  /// "initialization", "TRAIN"
  std::string text() const { return kind == PhaseKind::steps ? mode : to_text(kind); }

  /// What is none of the others is a mode: recorders may have any.
  static PhaseName from(std::string_view text) {
    const auto kind = from_text<PhaseKind>(text);
    if (kind && kind != PhaseKind::steps) return {*kind};
    return {PhaseKind::steps, std::string{text}};
  }

  bool operator==(const PhaseName&) const = default;
};

/// A part of the job's time.
struct TimePart {
  PhaseName part;
  double seconds = 0;
  double percent = 0;
};

/// Where the job's time went. Parts do not overlap and sum to the job's duration: at a moment when
/// several processes are in steps, TRAIN comes before EVAL.
struct TimeAccounting {
  std::optional<double> total; ///< seconds; absent where the job's span is not known
  std::vector<TimePart> parts; ///< in the order of time
};

} // namespace debrief::result
