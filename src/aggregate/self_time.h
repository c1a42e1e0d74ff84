// The time that is an interval's own: without what lies inside of it.
//
// Intervals come by start, and the longest first among those that start together. A moment belongs
// to one interval, the innermost; where intervals overlap without nesting, to the later one.
#pragma once

#include <algorithm>
#include <vector>

namespace debrief::aggregate {

template <typename Time, typename Id>
class SelfTimes {
public:
  /// Calls `add(id, amount)` for this interval and, with a negative amount, for those around it
  /// that lose time to it.
  template <typename Add>
  void take(Time start, Time end, Id id, const Add& add) {
    add(id, end - start);
    Time given = start; // moments before this are taken from those below
    while (!open_.empty()) {
      const Open& below = open_.back();
      const Time until = std::min(end, below.end);
      if (until > given) {
        add(below.id, given - until);
        given = until;
      }
      if (below.end >= end) break;
      open_.pop_back();
    }
    open_.push_back({end, id});
  }

  /// What follows is on another line.
  void clear() { open_.clear(); }

private:
  struct Open {
    Time end;
    Id id;
  };

  std::vector<Open> open_; ///< each ends no later than the one below it
};

} // namespace debrief::aggregate
