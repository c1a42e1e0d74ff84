// Points in time as debrief holds them, since the Unix epoch, UTC: int64 microseconds of a job,
// std::chrono::nanoseconds of a trace, so that the compiler refuses to mix them.
//
// Recorders write times in four ways (float seconds, integer microseconds, integer nanoseconds in
// file names, ISO-8601 text); all become one type here, and all that leaves is ISO-8601 in UTC.
#pragma once

#include "util/interval.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debrief {

using Microseconds = std::int64_t;

/// Of traces, whose shortest slices last a fraction of a microsecond. Since the epoch it reaches
/// the year 2262.
using Nanoseconds = std::chrono::nanoseconds;

inline constexpr Microseconds kSecond = 1'000'000;
inline constexpr Microseconds kMinute = 60 * kSecond;
inline constexpr Microseconds kHour = 60 * kMinute;

constexpr double in_seconds(Microseconds duration) {
  return static_cast<double>(duration) / 1e6;
}

constexpr double in_seconds(Nanoseconds duration) {
  return static_cast<double>(duration.count()) / 1e9;
}

constexpr double in_microseconds(Nanoseconds duration) {
  return static_cast<double>(duration.count()) / 1000;
}

/// `whole` is not zero.
constexpr double quotient(Nanoseconds part, Nanoseconds whole) {
  return static_cast<double>(part.count()) / static_cast<double>(whole.count());
}

/// A moment of a trace; what is less than a microsecond is cut off.
constexpr Microseconds to_microseconds(Nanoseconds time) {
  return time.count() / 1000;
}

constexpr Nanoseconds to_nanoseconds(Microseconds time) {
  return Nanoseconds{time * 1000};
}

/// Whether the sum is more than the type holds.
inline bool sum_overflows(Nanoseconds a, Nanoseconds b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a.count(), b.count(), &sum);
}

/// Times outside these bounds are clock errors or relative times, not moments of a training job.
inline constexpr Microseconds kEarliestTime = 946'684'800 * kSecond; // 2000-01-01T00:00:00Z
inline constexpr Microseconds kLatestTime = 4'102'444'800 * kSecond; // 2100-01-01T00:00:00Z

/// Whether a job can have run at this moment.
constexpr bool is_plausible(Microseconds time) {
  return time >= kEarliestTime && time < kLatestTime;
}

/// Of a job, a phase, an incident, …
using TimeSpan = Interval<Microseconds>;

/// Of a trace.
using TraceSpan = Interval<Nanoseconds>;

/// Float seconds since the epoch to microseconds, rounded to nearest; nothing where it does not
/// fit.
std::optional<Microseconds> from_seconds(double seconds);

/// "2026-11-14T23:48:10.005176Z": always UTC, always six decimals, so that text sorts as time does.
std::string to_iso8601(Microseconds time);

/// "2026-11-14 23:48:10 UTC", for sentences: seconds are enough there.
std::string to_readable_time(Microseconds time);

/// Reads ISO-8601 ("2026-11-14T23:48:10.5Z", "2026-11-14 23:48:10+01:00", without zone: UTC) or a
/// number of seconds since the epoch. Nothing for anything else.
std::optional<Microseconds> parse_time(std::string_view text);

/// smdebug's text for a moment, "2026-11-14T23:48:10:005176" (UTC, colon before the microseconds).
std::string to_smdebug_text(Microseconds time);

/// 93784.2 seconds -> "1 d 2 h", 125.3 -> "2 min 5 s", 5.27 -> "5.27 s", 0.0021 -> "2.1 ms": two
/// parts at most.
std::string to_human_duration(double seconds);

} // namespace debrief
