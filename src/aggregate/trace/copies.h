// Copies and sets on GPUs, by direction and kind of memory.
#pragma once

#include "aggregate/trace/index.h"
#include "result/trace.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

/// What a copy's name says: "Memcpy HtoD (Pageable -> Device)" -> "Host to device", "Pageable to
/// device". A name that says nothing of it is the direction itself.
struct CopyKind {
  std::string direction;
  std::string memory;

  bool to_gpu() const { return direction == result::kHostToDevice; }

  /// Between the host and a GPU: what a GPU moves within itself, or to another, is its own work.
  bool of_host() const { return to_gpu() || direction == result::kDeviceToHost; }
};

CopyKind copy_kind(std::string_view name);

/// Of all of the traces; per process in their order, most time first.
std::vector<result::CopyRow> trace_copies(std::span<const TraceIndex> indices);

} // namespace debrief::aggregate
