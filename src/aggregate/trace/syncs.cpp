#include "aggregate/trace/figures.h"
#include "aggregate/trace/waiting_calls.h"

#include <algorithm>
#include <array>

namespace debrief::aggregate {

namespace {

constexpr std::array kCopyingOps = {"aten::item", "aten::_local_scalar_dense", "aten::to",
                                    "aten::_to_copy", "aten::copy_"};

bool is_copying_op(std::string_view name) {
  return std::find(kCopyingOps.begin(), kCopyingOps.end(), name) != kCopyingOps.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// Calls in which the host waits for what the GPU does.
WaitingCalls synchronizing_calls(const TraceIndex& index) {
  const auto& slices = index.trace.slices;
  WaitingCalls waits(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto slice = static_cast<std::int32_t>(i);
    if (slices[i].kind == job::SliceKind::runtime && is_synchronizing(index.name(slice)))
      waits[i] = true;
    const std::int32_t call = index.launch[i];
    if (slices[i].kind != job::SliceKind::memcpy || call == TraceIndex::kNone) continue;
    if (copy_blocks(index, slice)) waits[static_cast<std::size_t>(call)] = true;
  }
  return waits;
}

} // namespace

bool copy_blocks(const TraceIndex& index, std::int32_t memcpy) {
  const std::int32_t call = index.launch[static_cast<std::size_t>(memcpy)];
  const std::string_view copy = index.name(memcpy);
  if (!contains(copy, "DtoH")) return false;
  if (contains(copy, "Pinned") && contains(index.name(call), "Async")) return false;
  const auto copies = [&](std::int32_t around) {
    return slice_at(index, around).kind == job::SliceKind::op && is_copying_op(index.name(around));
  };
  return innermost(index, call, copies) != TraceIndex::kNone;
}

bool is_synchronizing(std::string_view call) {
  return call.ends_with("Synchronize") && (call.starts_with("cu") || call.starts_with("hip"));
}

IntervalSet<Nanoseconds> host_blocked(const TraceIndex& index) {
  return time_in(index, synchronizing_calls(index));
}

std::vector<result::SyncRow> sync_rows(std::span<const TraceIndex> traces) {
  return waiting_rows(traces, synchronizing_calls);
}

} // namespace debrief::aggregate
