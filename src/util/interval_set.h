// Sets of times as lists of intervals: union, intersection, difference and lengths, each in one
// linear pass. Several streams, threads and processes work at once, so time is measured on sets and
// never summed over single intervals.
//
// A set is sorted and disjoint, and what touches is one interval. merged() gives such a set, and
// keeps single moments; to_set() leaves them out. All others take sets and give sets without
// moments.
#pragma once

#include "util/interval.h"
#include "util/sort_runs.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace debrief {

template <typename Time>
using IntervalSet = std::vector<Interval<Time>>;

/// What the length of an interval is.
template <typename Time>
using LengthOf = decltype(Time{} - Time{});

/// The union of intervals in any order. Those at most `gap` apart become one. Linear if they are
/// nearly sorted.
template <typename Time>
IntervalSet<Time> merged(std::vector<Interval<Time>> intervals, LengthOf<Time> gap = {}) {
  sort_runs(intervals.begin(), intervals.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  std::size_t count = 0; // of the set, which grows at the front of the list
  for (const Interval<Time> next : intervals) {
    if (count > 0 && next.first - gap <= intervals[count - 1].last)
      intervals[count - 1].include(next.last);
    else
      intervals[count++] = next;
  }
  intervals.resize(count);
  return intervals;
}

/// The same without moments, and without what ends before it begins.
template <typename Time>
IntervalSet<Time> to_set(std::vector<Interval<Time>> intervals) {
  std::erase_if(intervals, [](const Interval<Time>& some) { return some.last <= some.first; });
  return merged(std::move(intervals));
}

/// Adds to a list for to_set(): what begins within the last one is joined to it, so that nested
/// slices, most of a thread's, take no room.
template <typename Time>
void add_interval(std::vector<Interval<Time>>& list, const Interval<Time>& next) {
  if (next.last <= next.first) return;
  if (!list.empty() && list.back().contains(next.first))
    list.back().include(next.last);
  else
    list.push_back(next);
}

template <typename Time>
IntervalSet<Time> set_union(const IntervalSet<Time>& a, const IntervalSet<Time>& b) {
  IntervalSet<Time> out;
  out.reserve(a.size() + b.size());
  for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
    const bool from_a = j == b.size() || (i < a.size() && a[i].first < b[j].first);
    add_interval(out, from_a ? a[i++] : b[j++]);
  }
  return out;
}

/// Calls `take` with each interval that both sets have, in order.
template <typename Time, typename Take>
void for_common(const IntervalSet<Time>& a, const IntervalSet<Time>& b, const Take& take) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    const Interval<Time> both{std::max(a[i].first, b[j].first), std::min(a[i].last, b[j].last)};
    if (both.first < both.last) take(both);
    ++(a[i].last < b[j].last ? i : j);
  }
}

template <typename Time>
IntervalSet<Time> intersection(const IntervalSet<Time>& a, const IntervalSet<Time>& b) {
  IntervalSet<Time> out;
  for_common(a, b, [&](const Interval<Time>& both) { out.push_back(both); });
  return out;
}

/// Of what intersection() gives, without making it.
template <typename Time>
LengthOf<Time> intersection_length(const IntervalSet<Time>& a, const IntervalSet<Time>& b) {
  LengthOf<Time> sum{};
  for_common(a, b, [&](const Interval<Time>& both) { sum += both.length(); });
  return sum;
}

/// What is in `a` and not in `b`.
template <typename Time>
IntervalSet<Time> difference(const IntervalSet<Time>& a, const IntervalSet<Time>& b) {
  IntervalSet<Time> out;
  std::size_t next = 0;
  for (Interval<Time> rest : a) {
    while (next < b.size() && b[next].last <= rest.first)
      ++next;
    for (std::size_t cut = next; cut < b.size() && b[cut].first < rest.last; ++cut) {
      if (b[cut].first > rest.first) out.push_back({rest.first, b[cut].first});
      rest.first = std::min(b[cut].last, rest.last);
      next = cut; // the last one may reach into the next of `a`
    }
    if (rest.first < rest.last) out.push_back(rest);
  }
  return out;
}

/// Calls `take` with each piece of the set within `bounds`, in order; finds the place by bisection.
template <typename Time, typename Take>
void for_clipped(const IntervalSet<Time>& set, const Interval<Time>& bounds, const Take& take) {
  if (bounds.last <= bounds.first) return;
  auto at =
      std::upper_bound(set.begin(), set.end(), bounds.first,
                       [](Time time, const Interval<Time>& some) { return time < some.last; });
  for (; at != set.end() && at->first < bounds.last; ++at)
    take(Interval<Time>{std::max(at->first, bounds.first), std::min(at->last, bounds.last)});
}

/// What is within `bounds`; many small cuts of a large set are cheap.
template <typename Time>
IntervalSet<Time> clip(const IntervalSet<Time>& set, const Interval<Time>& bounds) {
  IntervalSet<Time> out;
  for_clipped(set, bounds, [&](const Interval<Time>& piece) { out.push_back(piece); });
  return out;
}

/// Of disjoint intervals.
template <typename Time>
LengthOf<Time> total_length(const std::vector<Interval<Time>>& disjoint) {
  LengthOf<Time> sum{};
  for (const Interval<Time>& some : disjoint)
    sum += some.length();
  return sum;
}

/// Answers how much of an interval lies in a set, in logarithmic time.
template <typename Time>
class Coverage {
public:
  explicit Coverage(IntervalSet<Time> set)
      : set_(std::move(set)) {
    before_.reserve(set_.size() + 1);
    before_.push_back({});
    for (const Interval<Time>& some : set_)
      before_.push_back(before_.back() + some.length());
  }

  LengthOf<Time> within(const Interval<Time>& bounds) const {
    return until(bounds.last) - until(bounds.first);
  }

  const IntervalSet<Time>& set() const { return set_; }

  LengthOf<Time> length() const { return before_.back(); }

private:
  /// How much of the set lies before `time`.
  LengthOf<Time> until(Time time) const {
    const auto after = std::upper_bound(
        set_.begin(), set_.end(), time,
        [](Time moment, const Interval<Time>& some) { return moment < some.first; });
    if (after == set_.begin()) return {};
    const auto index = static_cast<std::size_t>(after - set_.begin()) - 1;
    return before_[index] + (std::min(time, set_[index].last) - set_[index].first);
  }

  IntervalSet<Time> set_;
  std::vector<LengthOf<Time>> before_; ///< length of all before the i-th; one more than set_
};

/// A set that grows while intervals come in any order, most of them by time: those nearer to each
/// other than a gap become one. It takes room in proportion to the set, not to what was added.
template <typename Time>
class GrowingSet {
public:
  explicit GrowingSet(LengthOf<Time> gap)
      : gap_(gap) {}

  void add(const Interval<Time>& next) {
    if (!list_.empty() && near(list_.back(), next)) {
      list_.back().include(next.first);
      list_.back().include(next.last);
      return;
    }
    if (list_.size() >= most_) {
      list_ = merged(std::move(list_), gap_);
      most_ = std::max(most_, 2 * list_.size()); // so that merging costs no more than adding
    }
    list_.push_back(next);
  }

  IntervalSet<Time> set() const { return merged(list_, gap_); }

private:
  bool near(const Interval<Time>& a, const Interval<Time>& b) const {
    return b.first <= a.last + gap_ && a.first <= b.last + gap_;
  }

  LengthOf<Time> gap_;
  std::vector<Interval<Time>> list_; ///< in any order; some may touch
  std::size_t most_ = 1024;          ///< of the list, before it is made a set
};

} // namespace debrief
