// What the page draws over time: what the job's machines measured, its steps and its phases. It is
// the samples themselves, so it is not in the JSON: `debrief export` gives them as tables.
#pragma once

#include "result/devices.h"
#include "result/steps.h"
#include "util/time.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// One metric of one node, moment by moment. Devices that are sampled together share a moment (see
/// aggregate/node_series.h); float is more than any recorder's precision.
struct MetricTimeline {
  Metric metric = Metric::unknown;
  std::string unit;                       ///< "%", "B/s", "1/s", "W", "°C"
  std::vector<Microseconds> times;        ///< rising
  std::vector<float> whole;               ///< the node's: mean over its devices, or their sum
  std::vector<std::string> devices;       ///< "cpu0", "receive"; empty: the node has it once
  std::vector<std::vector<float>> values; ///< of each device at each moment; NaN: no sample
};

struct NodeTimeline {
  std::string node;
  std::vector<MetricTimeline> metrics; ///< in the order in which the page shows them
};

/// A step whose moment is known.
struct StepMark {
  Microseconds start = 0;
  Microseconds duration = 0;
};

/// The steps of one process in one mode, by time: a row of Result::steps.
struct StepTimeline {
  std::string process;
  std::string mode;
  std::vector<StepMark> steps;
};

/// A stretch of the job.
struct Phase {
  PhaseName name;
  TimeSpan span;
};

/// Below this share the GPUs of a node are idle, in percent.
inline constexpr double kIdleGpuPercent = 5;

/// Samples in a row, without a gap, at which the GPUs of a node were idle.
struct IdleStretch {
  std::string node;
  TimeSpan span;
};

struct Timeline {
  TimeSpan span; ///< of everything below
  std::vector<NodeTimeline> nodes;
  std::vector<StepTimeline> steps;
  /// Between initialization and finalization, as far as these are known.
  std::optional<IdleStretch> longest_idle;
  std::vector<Phase> phases; ///< disjoint, by time; then those that were profiled, the same

  bool empty() const { return nodes.empty() && steps.empty(); }
};

/// From the end of the initialization to the beginning of the finalization, if they are known.
inline TimeSpan loop_of(const Timeline& timeline) {
  TimeSpan loop = timeline.span;
  for (const Phase& phase : timeline.phases) {
    if (phase.name.kind == PhaseKind::initialization)
      loop.first = std::max(loop.first, phase.span.last);
    if (phase.name.kind == PhaseKind::finalization)
      loop.last = std::min(loop.last, phase.span.first);
  }
  return loop;
}

} // namespace debrief::result
