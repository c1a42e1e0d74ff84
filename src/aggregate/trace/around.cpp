#include "aggregate/trace/around.h"

#include <algorithm>
#include <utility>

namespace debrief::aggregate {

std::int32_t innermost_op(const TraceIndex& index, std::int32_t slice) {
  return innermost(index, slice, [&](std::int32_t around) {
    return slice_at(index, around).kind == job::SliceKind::op;
  });
}

std::int32_t outermost_cause(const TraceIndex& index, std::int32_t slice) {
  std::int32_t outermost = TraceIndex::kNone;
  for (; slice != TraceIndex::kNone; slice = parent_of(index, slice)) {
    const job::SliceKind kind = slice_at(index, slice).kind;
    if (kind == job::SliceKind::op ||
        (kind == job::SliceKind::annotation && !job::is_profiler_step(index.name(slice))))
      outermost = slice;
  }
  return outermost;
}

std::string_view name_or_empty(const TraceIndex& index, std::int32_t slice) {
  return slice == TraceIndex::kNone ? std::string_view{} : index.name(slice);
}

OpenSlices::OpenSlices(const TraceIndex& index)
    : index_(index) {
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i)
    switch (slices[i].kind) {
    case job::SliceKind::op:
    case job::SliceKind::annotation:
    case job::SliceKind::module:
    case job::SliceKind::runtime:
      nesting_.push_back(static_cast<std::int32_t>(i));
      break;
    default:
      break;
    }
}

std::int32_t OpenSlices::at(std::int32_t track, Nanoseconds time) const {
  const auto after = [&](const std::pair<std::int32_t, Nanoseconds>& moment, std::int32_t index) {
    const job::Slice& slice = slice_at(index_, index);
    return moment < std::pair{slice.track, slice.start};
  };
  const auto next =
      std::upper_bound(nesting_.begin(), nesting_.end(), std::pair{track, time}, after);
  if (next == nesting_.begin()) return TraceIndex::kNone;
  const std::int32_t last = *std::prev(next);
  if (slice_at(index_, last).track != track) return TraceIndex::kNone;
  return innermost(index_, last,
                   [&](std::int32_t slice) { return slice_at(index_, slice).end() >= time; });
}

} // namespace debrief::aggregate
