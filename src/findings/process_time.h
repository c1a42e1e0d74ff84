// What the processes of a node were doing in a stretch of time, as far as their events tell:
// waiting for data, in a step that stalls, outside of steps, in a collective.
#pragma once

#include "aggregate/spans.h"
#include "aggregate/steps.h"
#include "aggregate/work.h"
#include "job/job.h"
#include "result/result.h"

#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

/// Shares of a stretch, 0 to 1, mean over the node's processes; they do not overlap.
struct Doing {
  double warm_up = 0; ///< the first step, beyond what a step takes
  double input = 0;
  double stall = 0;
  double between = 0;
  double collective = 0; ///< within steps, by timelines of collectives
};

/// One process, by sets of stretches that do not overlap each other.
struct ProcessTime {
  std::string process;
  std::string node;
  std::vector<TimeSpan> warm_up;
  std::vector<TimeSpan> input;
  std::vector<TimeSpan> stall;
  std::vector<TimeSpan> between;
  std::vector<TimeSpan> collective;
  Microseconds known = 0; ///< how much time the events tell of
  bool profiled = false;  ///< of a few profiled steps only, which say nothing of other moments
};

/// Processes that recorded steps whose moments are known; by name. One that was started again,
/// under another name, is one.
std::vector<ProcessTime> process_times(const job::EventTable& events,
                                       const aggregate::WorkKinds& kinds,
                                       std::span<const aggregate::StepSeries> steps);

class NodeTime {
public:
  /// Of the processes on `node`, and of those that name none; not of those that were only profiled.
  NodeTime(std::span<const ProcessTime> processes, const std::string& node);

  /// Whether any process tells anything.
  bool known() const { return !sets_.empty(); }

  Doing within(const TimeSpan& span) const;

private:
  struct Sets {
    aggregate::Coverage warm_up;
    aggregate::Coverage input;
    aggregate::Coverage stall;
    aggregate::Coverage between;
    aggregate::Coverage collective;
  };

  std::vector<Sets> sets_;
};

} // namespace debrief::findings
