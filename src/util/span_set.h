// Stretches of time in which something was recorded. Stretches nearer to each other than a gap are
// one.
#pragma once

#include "util/time.h"

#include <algorithm>
#include <vector>

namespace debrief {

class SpanSet {
public:
  explicit SpanSet(Microseconds gap)
      : gap_(gap) {}

  void add(TimeSpan span) {
    // Data comes mostly in order: the stretch that was extended last is tried first.
    if (last_ < spans_.size() && near(spans_[last_], span) && extend_alone(span)) return;
    auto first = std::lower_bound(
        spans_.begin(), spans_.end(), span.first,
        [this](const TimeSpan& old, Microseconds time) { return old.last + gap_ < time; });
    auto end = first;
    for (; end != spans_.end() && near(*end, span); ++end) {
      span.include(end->first);
      span.include(end->last);
    }
    first = spans_.insert(spans_.erase(first, end), span);
    last_ = static_cast<std::size_t>(first - spans_.begin());
  }

  /// Disjoint, sorted.
  const std::vector<TimeSpan>& spans() const { return spans_; }

private:
  bool near(const TimeSpan& a, const TimeSpan& b) const {
    return b.first <= a.last + gap_ && a.first <= b.last + gap_;
  }

  /// Extends the last stretch where that does not make it touch another one.
  bool extend_alone(const TimeSpan& span) {
    TimeSpan& old = spans_[last_];
    if (last_ > 0 && spans_[last_ - 1].last + gap_ >= span.first) return false;
    if (last_ + 1 < spans_.size() && spans_[last_ + 1].first - gap_ <= span.last) return false;
    old.include(span.first);
    old.include(span.last);
    return true;
  }

  Microseconds gap_;
  std::vector<TimeSpan> spans_;
  std::size_t last_ = 0;
};

} // namespace debrief
