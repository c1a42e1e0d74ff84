// A job's steps: which there were, how long they took, and which took much longer than their like.
#pragma once

#include "aggregate/event_kind.h"
#include "aggregate/trace/index.h"
#include "job/events.h"
#include "result/steps.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::aggregate {

struct Step {
  TimeSpan span;
  std::optional<std::int64_t> number;
  bool clock_known = true; ///< false: the moment can be compared within its process only

  double seconds() const { return in_seconds(span.length()); }
};

/// All steps of one process in one mode, by time; those whose clock is not known come last.
struct StepSeries {
  std::string process;
  std::string node;
  std::string mode;
  std::vector<Step> steps;
};

/// Frameworks know four modes; what names more than this many is not a framework, and its further
/// modes are one.
inline constexpr std::size_t kMaxModes = 16;

/// By process, then TRAIN, EVAL, and other modes by name. Where timelines have no steps, those of
/// the job's traces are its steps (mode PROFILED): when they ran, not when the host marked them.
std::vector<StepSeries> step_series(const job::EventTable& events, const EventKinds& kinds,
                                    std::span<const TraceIndex> traces = {});

/// The order of modes: TRAIN, EVAL, others by name.
bool mode_less(std::string_view a, std::string_view b);

/// A step is outlying where it lasts longer than mean + `factor` standard deviations, both over the
/// steps after the first, which warms up. SageMaker looks for outliers among more than
/// kStepsForOutliers steps.
inline constexpr std::size_t kStepsForOutliers = 100;

struct StepOutliers {
  double stddev = 0;                 ///< seconds, of the population
  double threshold = 0;              ///< seconds
  std::vector<std::size_t> outlying; ///< indices into StepSeries::steps, by time
};

/// Nothing where there are too few steps.
std::optional<StepOutliers> find_outliers(const StepSeries& series, double factor);

result::StepRow step_row(const StepSeries& series, double factor);

} // namespace debrief::aggregate
