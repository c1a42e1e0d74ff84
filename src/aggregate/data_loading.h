// How data was loaded: workers, pinned memory, and how long loading and waiting for it took.
#pragma once

#include "aggregate/event_kind.h"
#include "job/job.h"
#include "result/framework.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::aggregate {

/// Durations longer than this many times their median are outlying, as smdebug's analysis has it.
inline constexpr double kSlowLoadFactor = 2;

/// The node on which most was loaded: its loaders are held against its cores. Empty where none is
/// named, or nothing was loaded.
std::string loading_node(const job::EventTable& events, const EventKinds& kinds);

/// A stretch of whole seconds in which the same number of processes loads: the workers where there
/// are any, else the processes that load for themselves.
struct LoadersRun {
  std::int64_t first = 0; ///< seconds since the epoch
  std::int64_t last = 0;  ///< the last second of it
  std::int64_t loaders = 0;
};

/// On the loading node, by time; seconds without a loader are left out. Traces do not tell who
/// loads.
std::vector<LoadersRun> loaders_per_second(const job::EventTable& events, const EventKinds& kinds);

/// Seconds by how many loaders there were; its median as a whole number, rounded down.
using SecondsByLoaders = std::map<std::int64_t, std::int64_t>;
std::optional<std::int64_t> median_loaders(const SecondsByLoaders& seconds);

/// Durations in seconds of what SageMaker counts as loading: a worker's work and a process's wait
/// for the next batch.
std::vector<double> load_durations(const job::EventTable& events, const EventKinds& kinds);

/// `cores` is of the node that loads; absent where not known.
result::DataLoading data_loading(const job::EventTable& events, const EventKinds& kinds,
                                 std::optional<std::int64_t> cores);

} // namespace debrief::aggregate
