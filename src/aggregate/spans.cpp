#include "aggregate/spans.h"

#include <algorithm>

namespace debrief::aggregate {

std::vector<TimeSpan> merged(std::vector<TimeSpan> spans, Microseconds gap) {
  std::sort(spans.begin(), spans.end(), [](const TimeSpan& a, const TimeSpan& b) {
    return a.first != b.first ? a.first < b.first : a.last < b.last;
  });
  std::vector<TimeSpan> out;
  for (const TimeSpan& span : spans) {
    if (!out.empty() && span.first - gap <= out.back().last)
      out.back().include(span.last);
    else
      out.push_back(span);
  }
  return out;
}

std::vector<TimeSpan> without(std::span<const TimeSpan> spans, std::span<const TimeSpan> others) {
  std::vector<TimeSpan> out;
  std::size_t next = 0;
  for (TimeSpan rest : spans) {
    while (next < others.size() && others[next].last <= rest.first)
      ++next;
    for (std::size_t i = next; i < others.size() && others[i].first < rest.last; ++i) {
      if (others[i].first > rest.first) out.push_back({rest.first, others[i].first});
      rest.first = std::min(others[i].last, rest.last);
    }
    if (rest.first < rest.last) out.push_back(rest);
  }
  return out;
}

Microseconds total_length(std::span<const TimeSpan> disjoint) {
  Microseconds length = 0;
  for (const TimeSpan& span : disjoint)
    length += span.length();
  return length;
}

Coverage::Coverage(std::vector<TimeSpan> disjoint)
    : spans_(std::move(disjoint)) {
  before_.reserve(spans_.size() + 1);
  before_.push_back(0);
  for (const TimeSpan& span : spans_)
    before_.push_back(before_.back() + span.length());
}

Microseconds Coverage::until(Microseconds time) const {
  const auto after = std::upper_bound(
      spans_.begin(), spans_.end(), time,
      [](Microseconds moment, const TimeSpan& span) { return moment < span.first; });
  if (after == spans_.begin()) return 0;
  const auto index = static_cast<std::size_t>(after - spans_.begin()) - 1;
  return before_[index] + std::min(time, spans_[index].last) - spans_[index].first;
}

Microseconds Coverage::within(const TimeSpan& span) const {
  return until(span.last) - until(span.first);
}

} // namespace debrief::aggregate
