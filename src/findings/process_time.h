// What the processes of a node were doing in a stretch of time, as far as their events tell:
// compiling, saving, waiting for data, collecting garbage, in a step that stalls, outside of steps,
// in a collective.
#pragma once

#include "aggregate/event_kind.h"
#include "aggregate/steps.h"
#include "job/job.h"
#include "result/result.h"
#include "util/interval_set.h"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

/// Shares of a stretch, 0 to 1, mean over the node's processes; they do not overlap.
struct ActivityShares {
  double warm_up = 0; ///< the first step, beyond what a step takes
  double compiling = 0;
  double saving = 0;
  double input = 0;
  double collecting = 0; ///< garbage
  double stall = 0;
  double between = 0;
  double collective = 0; ///< within steps, by timelines of collectives
};

/// One process, by sets of stretches that do not overlap each other.
struct ProcessTime {
  std::string process;
  std::string node;
  std::vector<TimeSpan> warm_up;
  std::vector<TimeSpan> compiling;
  std::vector<TimeSpan> saving;
  std::vector<TimeSpan> input; ///< its own waits, and those for a rank that waits for its data
  std::vector<TimeSpan> collecting;
  std::vector<TimeSpan> stall;
  std::vector<TimeSpan> between;
  std::vector<TimeSpan> collective;
  Microseconds known = 0; ///< how much time the events tell of
  bool profiled = false;  ///< of a few profiled steps only, which say nothing of other moments
};

/// Processes that recorded steps whose moments are known; by name. One that was started again,
/// under another name, is one.
std::vector<ProcessTime> process_times(const job::EventTable& events,
                                       const aggregate::EventKinds& kinds,
                                       std::span<const aggregate::StepSeries> steps);

/// An activity's set in a process, and its share of a stretch.
struct Activity {
  std::vector<TimeSpan> ProcessTime::*set;
  double ActivityShares::*share;
};

inline constexpr auto kActivities = std::to_array<Activity>({
    {&ProcessTime::warm_up, &ActivityShares::warm_up},
    {&ProcessTime::compiling, &ActivityShares::compiling},
    {&ProcessTime::saving, &ActivityShares::saving},
    {&ProcessTime::input, &ActivityShares::input},
    {&ProcessTime::collecting, &ActivityShares::collecting},
    {&ProcessTime::stall, &ActivityShares::stall},
    {&ProcessTime::between, &ActivityShares::between},
    {&ProcessTime::collective, &ActivityShares::collective},
});

class NodeActivity {
public:
  /// Of the processes on `node`, and of those that name none; not of those that were only profiled.
  NodeActivity(std::span<const ProcessTime> processes, const std::string& node);

  /// Whether any process tells anything.
  bool known() const { return !processes_.empty(); }

  ActivityShares within(const TimeSpan& span) const;

private:
  std::vector<std::vector<Coverage<Microseconds>>> processes_; ///< by the order of kActivities
};

} // namespace debrief::findings
