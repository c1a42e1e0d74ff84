// What the page draws over time: what the job's machines measured, its steps and its phases. It is
// the samples themselves, so it is not in the JSON: `debrief export` gives them as tables.
#pragma once

#include "util/time.h"

#include <string>
#include <vector>

namespace debrief::result {

/// One metric of one node, moment by moment. Devices that are sampled together share a moment (see
/// aggregate/node_series.h); float is more than any recorder's precision.
struct MetricTimeline {
  std::string metric;                     ///< as in UsageRow: "CPU", "I/O", …; also "Disk"
  std::string unit;                       ///< "%", "B/s", "1/s"
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

/// A stretch of the job: "initialization", "TRAIN", "EVAL", …, "finalization"; or "profiled", in
/// which PyTorch traces were recorded.
struct Phase {
  std::string name;
  TimeSpan span;
};

struct Timeline {
  TimeSpan span; ///< of everything below
  std::vector<NodeTimeline> nodes;
  std::vector<StepTimeline> steps;
  std::vector<Phase> phases; ///< disjoint, by time; then those that were profiled, the same

  bool empty() const { return nodes.empty() && steps.empty(); }
};

} // namespace debrief::result
