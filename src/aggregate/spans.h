// Sets of stretches of time: union, length, and how much of a stretch lies in a set.
#pragma once

#include "util/time.h"

#include <span>
#include <vector>

namespace debrief::aggregate {

/// The union: disjoint, sorted. Stretches at most `gap` apart become one.
std::vector<TimeSpan> merged(std::vector<TimeSpan> spans, Microseconds gap = 0);

/// What of `spans` lies outside `others`; both disjoint and sorted, as merged() gives them, and so
/// is the outcome.
std::vector<TimeSpan> without(std::span<const TimeSpan> spans, std::span<const TimeSpan> others);

/// Of disjoint stretches.
Microseconds total_length(std::span<const TimeSpan> disjoint);

/// Answers how much of a stretch lies in a set, in logarithmic time.
class Coverage {
public:
  /// `disjoint` is sorted, as merged() gives it.
  explicit Coverage(std::vector<TimeSpan> disjoint);

  Microseconds within(const TimeSpan& span) const;

  const std::vector<TimeSpan>& spans() const { return spans_; }

  Microseconds length() const { return before_.back(); }

private:
  /// How much of the set lies before `time`.
  Microseconds until(Microseconds time) const;

  std::vector<TimeSpan> spans_;
  std::vector<Microseconds> before_; ///< length of all spans before the i-th; one more than spans_
};

} // namespace debrief::aggregate
