#include "job/trace.h"

#include <algorithm>

namespace debrief::job {

std::optional<std::pair<Nanoseconds, Nanoseconds>> Trace::span() const {
  if (slices.empty()) return std::nullopt;
  std::pair<Nanoseconds, Nanoseconds> span{slices.front().start, slices.front().end()};
  for (const Slice& slice : slices) {
    span.first = std::min(span.first, slice.start);
    span.second = std::max(span.second, slice.end());
  }
  return span;
}

} // namespace debrief::job
