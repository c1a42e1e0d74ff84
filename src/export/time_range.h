// Which part of a job is wanted: between two moments, or some of its steps.
#pragma once

#include "aggregate/trace/index.h"
#include "export/job_clock.h"
#include "job/job.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::exports {

/// What the user asks for, checked as far as that goes without the job.
class RangeRequest {
public:
  /// Empty texts: not asked for. Times are ISO-8601, seconds since the epoch, or seconds after the
  /// job's start; steps are "22" or "22..24". Throws Error.
  RangeRequest(std::string_view from, std::string_view until, std::string_view steps);

  bool empty() const { return !from_ && !until_ && !steps_; }

  struct Moment {
    Nanoseconds time{};
    bool after_start = false; ///< counted from the job's start, not from the epoch
  };

private:
  friend class TimeRanges;
  std::optional<Moment> from_;
  std::optional<Moment> until_;
  std::optional<std::pair<std::int64_t, std::int64_t>> steps_;
};

/// A stretch of the job's clock, without its end.
using Span = std::pair<Nanoseconds, Nanoseconds>;

/// Stretches of the job's clock, disjoint and by time, each without its end.
class TimeRanges {
public:
  /// Steps are the profiled ones with these numbers, else the recorded ones; from one to the next
  /// of the same process nothing is left out. Throws Error where the job has nothing there.
  TimeRanges(const RangeRequest& request, const job::Job& job,
             const std::vector<aggregate::TraceIndex>& traces, const JobClock& clock);

  const std::vector<Span>& spans() const { return spans_; }

  bool overlaps(Nanoseconds start, Nanoseconds end) const;

private:
  std::vector<Span> spans_;
};

} // namespace debrief::exports
