// What kind of work a framework event is, by the phase it was recorded in.
//
// Recorders name phases freely; SageMaker's rules tell them apart by parts of the name, and so does
// this: "cpu" and "gpu" anywhere are operators, "Step:ModeKeys" is a step, and so on.
#pragma once

#include "job/events.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

enum class EventKind : std::uint8_t {
  step,
  cpu_operator,
  gpu_operator,
  forward,           ///< a whole forward pass
  backward,          ///< a whole backward pass
  forward_submodule, ///< a part of one
  backward_submodule,
  loader_setup,  ///< a data iterator's set-up
  loader_next,   ///< the training process waits for the next batch
  loader_worker, ///< a worker loads
  collective,    ///< communication between processes
  checkpoint,    ///< the script waits until a checkpoint is saved
  compilation,   ///< code is compiled
  collection,    ///< Python collects garbage
  general,
};

/// Classes of all of a table's events.
class EventKinds {
public:
  explicit EventKinds(const job::EventTable& events);

  EventKind of(std::size_t row) const { return by_row_[row]; }

private:
  std::vector<EventKind> by_row_; ///< a byte for each, since every section asks for all of them
};

/// Whether the framework's own timelines recorded anything. Steps and data loading out of PyTorch
/// traces, which know but a few steps of the job, do not count.
bool has_timelines(const job::EventTable& events);

/// Whom an event's timeline belongs to: the process, else the node, else "unknown process".
std::string process_name(const job::Timeline& timeline);

} // namespace debrief::aggregate
