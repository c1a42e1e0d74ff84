#include "findings/pauses.h"

#include "findings/thresholds.h"

#include <algorithm>

namespace debrief::findings {

namespace {

using namespace thresholds;

bool works_well_between(const Uses& use) {
  double sum = 0;
  double count = 0;
  for (const auto& value : use) {
    if (!value || *value <= kPausedGpu) continue;
    sum += *value;
    ++count;
  }
  return count > 0 && sum / count >= kWorkingGpu;
}

bool works(const Uses& use, std::size_t i) {
  return i < use.size() && use[i] && *use[i] >= kWaitingGpu;
}

Microseconds idle(const Uses& use, const Intervals& intervals, std::size_t i) {
  return static_cast<Microseconds>(static_cast<double>(intervals.of(i).length()) *
                                   (1 - *use[i] / 100));
}

/// A pause shorter than two samples, between samples at which GPUs work.
std::optional<Pause> dip_at(const Uses& use, const Intervals& intervals, std::size_t begin) {
  constexpr std::size_t kMaxLength = 3; // samples that so short a pause can touch
  if (begin == 0 || !works(use, begin - 1)) return std::nullopt;
  Pause dip{begin, begin, 0};
  while (dip.end < use.size() && dip.end - begin <= kMaxLength && use[dip.end] &&
         *use[dip.end] < kWaitingGpu)
    dip.length += idle(use, intervals, dip.end++);
  const auto samples = static_cast<Microseconds>(dip.end - begin);
  const bool deep =
      dip.length >= intervals.usual() && 2 * dip.length >= samples * intervals.usual();
  return deep && samples <= static_cast<Microseconds>(kMaxLength) && works(use, dip.end)
             ? std::optional{dip}
             : std::nullopt;
}

} // namespace

std::vector<Pause> pauses_in(const Uses& use, const Intervals& intervals) {
  std::vector<Pause> pauses;
  if (!works_well_between(use)) return pauses;
  for (std::size_t i = 0; i < use.size(); ++i) {
    if (!use[i] || *use[i] >= kWaitingGpu) continue;
    if (const auto dip = dip_at(use, intervals, i)) {
      pauses.push_back(*dip);
      i = dip->end - 1;
      continue;
    }
    if (*use[i] > kPausedGpu) continue;
    if (pauses.empty() || pauses.back().end != i) pauses.push_back({i, i, 0});
    pauses.back().end = i + 1;
    pauses.back().length += intervals.of(i).length();
  }
  return pauses;
}

bool are_stalls(const std::vector<Pause>& pauses, const TimeSpan& loop) {
  Microseconds paused = 0;
  Microseconds in_long_ones = 0;
  for (const Pause& pause : pauses) {
    paused += pause.length;
    if (pause.length >= kLongPause) in_long_ones += pause.length;
  }
  return static_cast<double>(in_long_ones) >= 0.5 * static_cast<double>(paused) &&
         static_cast<double>(paused) < kMaxStallShare * static_cast<double>(loop.length());
}

} // namespace debrief::findings
