// Sets of moments as sorted, disjoint intervals of nanoseconds: union, intersection, difference and
// lengths, each in one linear pass. Several streams and threads work at once, so time is measured
// on sets and never summed over slices.
#pragma once

#include "util/time.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// From `start` up to, not including, `end`.
struct NsInterval {
  Nanoseconds start = 0;
  Nanoseconds end = 0;

  bool operator==(const NsInterval&) const = default;
};

/// Sorted, disjoint, apart (what touches is one interval), none empty. The functions below take and
/// give such sets.
using IntervalSet = std::vector<NsInterval>;

/// Adds to a list for to_set(): what begins within the last one is joined to it, so that nested
/// slices, most of a thread's, take no room.
void add_interval(std::vector<NsInterval>& list, const NsInterval& next);

/// The union of intervals in any order, overlapping or empty. Linear where they are sorted by
/// start already.
IntervalSet to_set(std::vector<NsInterval> intervals);

IntervalSet set_union(const IntervalSet& a, const IntervalSet& b);
IntervalSet intersection(const IntervalSet& a, const IntervalSet& b);

/// What is in `a` and not in `b`.
IntervalSet difference(const IntervalSet& a, const IntervalSet& b);

/// What is within `bounds`; finds the place by bisection, so that many small cuts of a large set
/// are cheap.
IntervalSet clip(const IntervalSet& set, const NsInterval& bounds);

Nanoseconds length(std::span<const NsInterval> set);

/// Of what clip() gives, without making it.
Nanoseconds length_within(const IntervalSet& set, const NsInterval& bounds);
Nanoseconds intersection_length(const IntervalSet& a, const IntervalSet& b);

constexpr double to_us(Nanoseconds duration) {
  return static_cast<double>(duration) / 1000;
}

} // namespace debrief::aggregate
