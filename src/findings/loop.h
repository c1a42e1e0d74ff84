// When the training loop ran: as steps tell, else as the GPUs do. Time before and after it is the
// start and the finish, in which an idle GPU means something else than within it.
#pragma once

#include "aggregate/node_series.h"
#include "result/result.h"
#include "util/time.h"

#include <optional>
#include <span>

namespace debrief::findings {

struct Loop {
  TimeSpan span;
  bool start_known = false; ///< by a step; else by the first work of a GPU
  bool end_known = false;
  /// From here on the model no longer learned: all GPU time is lost to that. Absent: never.
  std::optional<Microseconds> spoiled_from = {};
  /// Share of the loop, 0 to 1, that stacks show outside of PyTorch, of a job without GPUs: there
  /// no trace tells. 0: not known.
  double outside_pytorch = 0;
  bool found = false; ///< false: neither steps nor work of a GPU; `span` is the job's
};

/// `series` are the job's.
Loop find_loop(const result::Result& result, std::span<const aggregate::NodeSeries> series);

/// Whether the model no longer learned at a moment.
inline bool is_spoiled(const Loop& loop, Microseconds time) {
  return loop.spoiled_from && time >= *loop.spoiled_from;
}

} // namespace debrief::findings
