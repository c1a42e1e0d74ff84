// A stretch of time from `first` to `last`.
//
// Both ends belong to it, so that `first == last` is a single moment: what is sampled has its
// samples at both ends. A moment has no length, so for whatever is measured, sums and sets
// (util/interval_set.h), it makes no difference whether the end belongs to it.
#pragma once

namespace debrief {

template <typename Time>
struct Interval {
  Time first{};
  Time last{};

  auto length() const { return last - first; }

  bool contains(Time time) const { return first <= time && time <= last; }

  void include(Time time) {
    if (time < first) first = time;
    if (time > last) last = time;
  }

  bool operator==(const Interval&) const = default;
};

} // namespace debrief
