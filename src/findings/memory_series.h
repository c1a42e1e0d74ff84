// A memory metric over the training loop, in tenths: whether it is occupied memory at all, how high
// it goes and whether it keeps growing.
//
// "GPU memory" of SageMaker is how often memory is read and written, which goes up and down with
// the work; of others it is how much is occupied, which hardly moves within a second.
#pragma once

#include "aggregate/node_series.h"
#include "job/metrics.h"
#include "util/time.h"

#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

struct MemorySeries {
  std::string node;
  std::string device;         ///< "gpu0"; empty: the host
  std::vector<double> lowest; ///< percent, of each tenth of the loop that has samples
  double highest = 0;         ///< percent, p99
  double peak = 0;            ///< percent, of all samples
  double last = 0;            ///< percent, median of the last tenth
  double jitter = 0;          ///< median change between neighboring samples, points
  double spread = 0;          ///< p95 - p5 within the middle tenth, points
  double seconds = 0;         ///< from the first sample to the last
  bool of_limit = false;      ///< of the control group's limit, not of the machine

  bool occupied() const;

  /// Points from the first tenth to the last; 0 where it does not rise steadily.
  double growth() const;
};

/// Memory within the training loop, of what has enough samples there.
struct MemoryUse {
  std::vector<MemorySeries> gpus;
  std::vector<MemorySeries> hosts; ///< of nodes
};

MemoryUse memory_use(std::span<const aggregate::NodeSeries> series, const TimeSpan& loop);

/// Of control groups that have a limit.
std::vector<MemorySeries> limited_memory(std::span<const job::MetricSeries> metrics,
                                         const TimeSpan& loop);

} // namespace debrief::findings
