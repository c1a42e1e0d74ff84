// Why GPU time was lost, and when: the ledger's causes, with the time lost to each in equal bins of
// the job's time.
#pragma once

#include "result/enum_names.h"
#include "util/time.h"

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

namespace debrief::result {

/// Why a GPU did not work at a moment. Each lost GPU-second has exactly one cause: the first that
/// holds, in this order, so that causes come before symptoms and costs never overlap.
enum class Cause {
  model,         ///< the model no longer learned: whatever the GPUs did was for nothing
  idle_gpu,      ///< this GPU was never used
  start,         ///< before the training loop
  finish,        ///< after it
  compile,       ///< code for the GPU was compiled or loaded
  save,          ///< the process saved a checkpoint
  io,            ///< the node's cores waited for storage
  cpu,           ///< the node's cores were saturated
  input,         ///< the process waited for its next batch
  communication, ///< a collective that no compute hides
  copy,          ///< memory was copied to or from the GPU, which did nothing else
  sync,          ///< the host waited for the GPU, whose queue ran empty
  collect,       ///< Python collected garbage
  python,        ///< the process ran code outside PyTorch
  stall,         ///< a step took much longer than its like
  between,       ///< outside of steps, and not for data
  imbalance,     ///< this GPU had less to do than the busiest one
  unexplained,   ///< none of these
};

/// As documents have them.
template <>
inline constexpr auto kNames<Cause> = std::to_array<const char*>(
    {"model", "unused_gpu", "startup", "shutdown", "compile", "save", "disk", "cpu", "data",
     "communication", "copy", "sync", "garbage_collection", "python", "stall", "between_steps",
     "imbalance", "unexplained"});

inline constexpr std::size_t kCauses = kNames<Cause>.size();

static_assert(kCauses == static_cast<std::size_t>(Cause::unexplained) + 1);

constexpr std::size_t index_of(Cause cause) {
  return static_cast<std::size_t>(cause);
}

/// Seconds of all GPUs (without GPUs: of all nodes) lost to one cause in each bin.
struct CauseOverTime {
  Cause cause = Cause::unexplained;
  std::vector<double> seconds;
};

/// Where the time went, bin by bin. In each bin busy + lost + set_aside + unmeasured is the bin's
/// length times the number of GPUs, and over all bins each sums to what Waste says of it.
struct WasteOverTime {
  TimeSpan span; ///< of all bins together: the job's
  double bin_seconds = 0;
  std::vector<double> busy;        ///< seconds of all GPUs, of each bin
  std::vector<CauseOverTime> lost; ///< causes that took any time, in the order of Cause
  std::vector<double> set_aside;   ///< empty: nothing is
  std::vector<double> unmeasured;

  bool empty() const { return busy.empty(); }
};

/// More than a chart has pixels for would say nothing more.
inline constexpr std::size_t kWasteBins = 480;

} // namespace debrief::result
