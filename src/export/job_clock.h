// The job's clock, and where recordings stand whose own clock has no known origin.
#pragma once

#include "job/job.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace debrief::exports {

/// The job's clock in nanoseconds since the epoch. A recording without a known clock is placed so
/// that it begins with the job; its durations are right, its place is not.
class JobClock {
public:
  explicit JobClock(const job::Job& job);

  /// The start of the job's span, as the report has it; of its first trace where it has none; 0
  /// where no clock is known.
  Nanoseconds start() const { return start_; }

  /// First and last moment of everything that was recorded.
  std::pair<Nanoseconds, Nanoseconds> extent() const { return extent_; }

  /// What has to be added to the times of a recording.
  Nanoseconds shift(const job::Trace& trace) const;

  Nanoseconds shift_of_timeline(std::size_t timeline) const { return timelines_[timeline]; }

private:
  std::map<std::string, Nanoseconds> traces_; ///< by process: several cycles keep their distance
  std::vector<Nanoseconds> timelines_;
  Nanoseconds start_{};
  std::pair<Nanoseconds, Nanoseconds> extent_{0, 0};
};

} // namespace debrief::exports
