#include "aggregate/trace/blocking_copies.h"

#include "aggregate/trace/copies.h"

#include <string_view>

namespace debrief::aggregate {

namespace {

/// "cudaMemcpy", "hipMemcpyWithStream", "cuMemcpyHtoD_v2": returns when the copy is done.
bool is_blocking_copy(std::string_view call) {
  const bool copies = call.starts_with("cudaMemcpy") || call.starts_with("hipMemcpy") ||
                      call.starts_with("cuMemcpy");
  return copies && call.find("Async") == call.npos && call.find("Peer") == call.npos;
}

/// Reads a value from the GPU: where no copy is recorded, its operator tells the direction.
bool reads_value(const TraceIndex& index, std::int32_t call) {
  const auto reads = [&](std::int32_t around) {
    const std::string_view name = index.name(around);
    return name == "aten::item" || name == "aten::_local_scalar_dense";
  };
  return innermost(index, call, reads) != TraceIndex::kNone;
}

} // namespace

WaitingCalls copying_calls(const TraceIndex& index) {
  const auto& slices = index.trace.slices;
  WaitingCalls waits(slices.size());
  std::vector<bool> launched(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::int32_t call = index.launch[i];
    if (call == TraceIndex::kNone) continue;
    launched[static_cast<std::size_t>(call)] = true;
    if (slices[i].kind != job::SliceKind::memcpy) continue;
    const std::string_view copy = index.name(static_cast<std::int32_t>(i));
    if (copy_kind(copy).to_gpu() &&
        (copy.find("Pageable") != copy.npos || is_blocking_copy(index.name(call))))
      waits[static_cast<std::size_t>(call)] = true;
  }
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto call = static_cast<std::int32_t>(i);
    if (slices[i].kind == job::SliceKind::runtime && !launched[i] &&
        is_blocking_copy(index.name(call)) && !reads_value(index, call))
      waits[i] = true;
  }
  return waits;
}

std::vector<result::SyncRow> blocking_copies(std::span<const TraceIndex> traces) {
  return waiting_rows(traces, copying_calls);
}

} // namespace debrief::aggregate
