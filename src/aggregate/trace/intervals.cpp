#include "aggregate/trace/intervals.h"

#include "util/sort_runs.h"

#include <algorithm>

namespace debrief::aggregate {

namespace {

bool starts_before(const NsInterval& a, const NsInterval& b) {
  return a.start < b.start;
}

/// Calls `take` with each interval that both have, in order.
template <typename Take>
void for_common(const IntervalSet& a, const IntervalSet& b, const Take& take) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const NsInterval both{std::max(a[i].start, b[j].start), std::min(a[i].end, b[j].end)};
    if (both.start < both.end) take(both);
    ++(a[i].end < b[j].end ? i : j);
  }
}

/// Calls `take` with each piece of `set` within `bounds`, in order.
template <typename Take>
void for_clipped(const IntervalSet& set, const NsInterval& bounds, const Take& take) {
  if (bounds.end <= bounds.start) return;
  auto at =
      std::upper_bound(set.begin(), set.end(), bounds.start,
                       [](Nanoseconds time, const NsInterval& some) { return time < some.end; });
  for (; at != set.end() && at->start < bounds.end; ++at)
    take(NsInterval{std::max(at->start, bounds.start), std::min(at->end, bounds.end)});
}

} // namespace

void add_interval(std::vector<NsInterval>& list, const NsInterval& next) {
  if (next.end <= next.start) return;
  if (!list.empty() && next.start >= list.back().start && next.start <= list.back().end)
    list.back().end = std::max(list.back().end, next.end);
  else
    list.push_back(next);
}

IntervalSet to_set(std::vector<NsInterval> intervals) {
  sort_runs(intervals.begin(), intervals.end(), starts_before);
  std::size_t count = 0; // of the set, which grows at the front of the list
  for (const NsInterval next : intervals) {
    if (next.end <= next.start) continue;
    if (count > 0 && next.start <= intervals[count - 1].end)
      intervals[count - 1].end = std::max(intervals[count - 1].end, next.end);
    else
      intervals[count++] = next;
  }
  intervals.resize(count);
  return intervals;
}

IntervalSet set_union(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  out.reserve(a.size() + b.size());
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool from_a = j == b.size() || (i < a.size() && starts_before(a[i], b[j]));
    add_interval(out, from_a ? a[i++] : b[j++]);
  }
  return out;
}

IntervalSet intersection(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  for_common(a, b, [&](const NsInterval& both) { out.push_back(both); });
  return out;
}

IntervalSet difference(const IntervalSet& a, const IntervalSet& b) {
  IntervalSet out;
  std::size_t j = 0;
  for (NsInterval rest : a) {
    while (j < b.size() && b[j].end <= rest.start)
      ++j;
    for (std::size_t cut = j; cut < b.size() && b[cut].start < rest.end; ++cut) {
      if (b[cut].start > rest.start) out.push_back({rest.start, b[cut].start});
      rest.start = std::min(b[cut].end, rest.end);
      j = cut; // the last one may reach into the next of `a`
    }
    if (rest.start < rest.end) out.push_back(rest);
  }
  return out;
}

IntervalSet clip(const IntervalSet& set, const NsInterval& bounds) {
  IntervalSet out;
  for_clipped(set, bounds, [&](const NsInterval& piece) { out.push_back(piece); });
  return out;
}

Nanoseconds length_within(const IntervalSet& set, const NsInterval& bounds) {
  Nanoseconds sum = 0;
  for_clipped(set, bounds, [&](const NsInterval& piece) { sum += piece.end - piece.start; });
  return sum;
}

Nanoseconds length(std::span<const NsInterval> set) {
  Nanoseconds sum = 0;
  for (const NsInterval& interval : set)
    sum += interval.end - interval.start;
  return sum;
}

Nanoseconds intersection_length(const IntervalSet& a, const IntervalSet& b) {
  Nanoseconds sum = 0;
  for_common(a, b, [&](const NsInterval& both) { sum += both.end - both.start; });
  return sum;
}

} // namespace debrief::aggregate
