// What a slice lies in: the operators and annotations around it on its thread.
#pragma once

#include "aggregate/trace/index.h"

#include <string_view>
#include <vector>

namespace debrief::aggregate {

inline const job::Slice& slice_at(const TraceIndex& index, std::int32_t slice) {
  return index.trace.slices[static_cast<std::size_t>(slice)];
}

inline std::int32_t parent_of(const TraceIndex& index, std::int32_t slice) {
  return index.parent[static_cast<std::size_t>(slice)];
}

/// `slice` or the innermost slice around it for which `wanted(slice)` holds; kNone: none.
template <typename Wanted>
std::int32_t innermost(const TraceIndex& index, std::int32_t slice, const Wanted& wanted) {
  while (slice != TraceIndex::kNone && !wanted(slice))
    slice = parent_of(index, slice);
  return slice;
}

/// The innermost operator, from `slice` outwards.
std::int32_t innermost_op(const TraceIndex& index, std::int32_t slice);

/// The outermost operator or annotation that is not a step, from `slice` outwards.
std::int32_t outermost_cause(const TraceIndex& index, std::int32_t slice);

/// Its name; empty where there is none.
std::string_view name_or_empty(const TraceIndex& index, std::int32_t slice);

/// Which slices are open on a thread at a moment.
class OpenSlices {
public:
  explicit OpenSlices(const TraceIndex& index);

  /// The innermost; kNone: none.
  std::int32_t at(std::int32_t track, Nanoseconds time) const;

private:
  const TraceIndex& index_;
  std::vector<std::int32_t> nesting_; ///< slices that can hold others, in the order of the trace
};

} // namespace debrief::aggregate
