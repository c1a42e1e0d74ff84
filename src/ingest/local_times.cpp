#include "ingest/local_times.h"

#include "ingest/choose_sources.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

namespace debrief::ingest {

namespace {

constexpr Microseconds kQuarter = 15 * kMinute;
/// Zones reach from 12 hours behind to 14 before UTC.
constexpr std::int64_t kMostQuarters = std::int64_t{14} * 4;

bool is_local(MetricSource source) {
  return source == MetricSource::nvidia_smi || source == MetricSource::nvidia_smi_dmon;
}

Microseconds overlap(const TimeSpan& a, const TimeSpan& b) {
  return std::min(a.last, b.last) - std::max(a.first, b.first);
}

/// 0 where the log overlaps the rest as it is, or does so with no shift at all.
Microseconds best_shift(const TimeSpan& log, const TimeSpan& rest) {
  if (overlap(log, rest) >= 0) return 0;
  Microseconds best = 0;
  Microseconds most = -1;
  for (std::int64_t quarters = 1; quarters <= kMostQuarters; ++quarters)
    for (const Microseconds shift : {quarters * kQuarter, -quarters * kQuarter}) {
      const Microseconds shared = overlap({log.first + shift, log.last + shift}, rest);
      if (shared <= most || shared < 0) continue;
      most = shared;
      best = shift;
    }
  return best;
}

/// "UTC+2:00"
std::string zone_of(Microseconds shift) {
  const std::int64_t minutes = std::abs(shift) / kMinute;
  return fmt::format("UTC{}{}:{:02}", shift > 0 ? "-" : "+", minutes / 60, minutes % 60);
}

} // namespace

bool has_local_times(const std::vector<std::vector<SeriesPart>>& files) {
  return std::any_of(files.begin(), files.end(), [](const std::vector<SeriesPart>& parts) {
    return is_local(source_of(parts));
  });
}

void shift_local_times(std::vector<std::vector<SeriesPart>>& files,
                       const std::optional<TimeSpan>& rest, job::ReadingReport& report) {
  std::map<MetricSource, TimeSpan> spans;
  for (const std::vector<SeriesPart>& parts : files)
    for (const SeriesPart& part : parts) {
      if (!is_local(part.source) || part.columns.times.empty()) continue;
      const auto [least, most] =
          std::minmax_element(part.columns.times.begin(), part.columns.times.end());
      const auto [span, added] = spans.try_emplace(part.source, TimeSpan{*least, *most});
      if (added) continue;
      span->second.first = std::min(span->second.first, *least);
      span->second.last = std::max(span->second.last, *most);
    }
  for (const auto& [source, span] : spans) {
    const Microseconds shift = rest ? best_shift(span, *rest) : 0;
    job::ReadingReport::count(
        report.repaired,
        shift == 0
            ? fmt::format("{} log has no time zone: read as UTC", to_string(source))
            : fmt::format("{} log has no time zone: read as {}, where the job's other data is",
                          to_string(source), zone_of(shift)),
        std::string{to_string(source)});
    if (shift == 0) continue;
    for (std::vector<SeriesPart>& parts : files)
      for (SeriesPart& part : parts)
        if (part.source == source)
          for (Microseconds& time : part.columns.times)
            time += shift;
  }
}

} // namespace debrief::ingest
