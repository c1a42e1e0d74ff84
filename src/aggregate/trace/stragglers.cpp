#include "aggregate/trace/stragglers.h"

#include "aggregate/trace/intervals.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <tuple>

namespace debrief::aggregate {

namespace {

/// One collective as one process saw it.
struct Part {
  std::size_t process = 0;
  Nanoseconds start = 0;
  Nanoseconds end = 0;
};

using Match = std::vector<Part>; ///< by process

/// Name, group, bytes, and where it is: step (or cycle where steps have no numbers).
using StragglersKey = std::tuple<std::string, std::string, std::int64_t, bool, std::int64_t>;

bool is_shared(const Collective& collective) {
  return collective.name != "send" && collective.name != "recv" && collective.name != "send_recv";
}

/// Of these, all ranks see the same size.
bool is_even(const std::string& name) {
  constexpr std::array kEven = {"all_reduce", "broadcast", "reduce", "all_gather",
                                "reduce_scatter"};
  return std::find(kEven.begin(), kEven.end(), name) != kEven.end();
}

std::optional<StragglersKey> key_of(const Collective& collective, const TraceIndex& index,
                                    std::size_t cycle) {
  const auto after =
      std::upper_bound(index.steps.begin(), index.steps.end(), collective.issued,
                       [](Nanoseconds time, const TraceStep& step) { return time < step.start; });
  if (after == index.steps.begin() || std::prev(after)->end <= collective.issued)
    return std::nullopt;
  const auto& number = std::prev(after)->number;
  const std::int64_t bytes = is_even(collective.name) ? collective.bytes.value_or(-1) : -1;
  return StragglersKey{collective.name, collective.group, bytes, number.has_value(),
                       number.value_or(static_cast<std::int64_t>(cycle))};
}

std::vector<Match> matches_of(std::span<const TracedProcess> processes,
                              std::span<const std::vector<std::vector<Collective>>> collectives) {
  std::map<StragglersKey, std::map<std::size_t, std::vector<Part>>> keyed;
  for (std::size_t process = 0; process < processes.size(); ++process)
    for (std::size_t cycle = 0; cycle < processes[process].cycles.size(); ++cycle) {
      const TraceIndex& index = *processes[process].cycles[cycle];
      if (!index.trace.clock_known) continue;
      for (const Collective& collective : collectives[process][cycle])
        if (is_shared(collective))
          if (const auto key = key_of(collective, index, cycle))
            keyed[*key][process].push_back({process, collective.start, collective.end});
    }
  std::vector<Match> matches;
  for (auto& [key, by_process] : keyed) {
    const std::size_t count = by_process.begin()->second.size();
    const bool alike = std::all_of(by_process.begin(), by_process.end(),
                                   [&](const auto& entry) { return entry.second.size() == count; });
    if (by_process.size() < 2 || !alike) continue;
    for (auto& [process, parts] : by_process)
      std::stable_sort(parts.begin(), parts.end(),
                       [](const Part& a, const Part& b) { return a.start < b.start; });
    for (std::size_t k = 0; k < count; ++k) {
      Match& match = matches.emplace_back();
      for (const auto& [process, parts] : by_process)
        match.push_back(parts[k]);
    }
  }
  return matches;
}

Nanoseconds median_time(std::vector<Nanoseconds>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// The median distance from the median.
Nanoseconds spread(std::vector<Nanoseconds> values) {
  const Nanoseconds middle = median_time(values);
  for (Nanoseconds& value : values)
    value = value > middle ? value - middle : middle - value;
  return median_time(values);
}

const Part* part_of(const Match& match, std::size_t process) {
  const auto found = std::find_if(match.begin(), match.end(),
                                  [&](const Part& part) { return part.process == process; });
  return found == match.end() ? nullptr : &*found;
}

/// By how much the clock of `process` is ahead of the first process's; 0 where they agree.
Nanoseconds clock_offset(const std::vector<Match>& matches, std::size_t process) {
  std::vector<Nanoseconds> ends;
  std::vector<Nanoseconds> starts;
  for (const Match& match : matches) {
    const Part* first = part_of(match, 0);
    const Part* own = part_of(match, process);
    if (first == nullptr || own == nullptr) continue;
    ends.push_back(own->end - first->end);
    starts.push_back(own->start - first->start);
  }
  if (ends.empty() || spread(ends) > spread(starts)) return 0;
  const Nanoseconds offset = median_time(ends);
  return offset > kClocksDiffer || offset < -kClocksDiffer ? offset : 0;
}

struct StragglersSums {
  std::int64_t collectives = 0;
  std::int64_t last = 0;
  Nanoseconds lateness = 0;
  std::vector<NsInterval> waits;
};

} // namespace

void find_stragglers(std::span<const TracedProcess> processes,
                     std::span<const std::vector<std::vector<Collective>>> collectives,
                     result::Communication& communication) {
  std::vector<Match> matches = matches_of(processes, collectives);
  if (matches.empty()) return;
  std::vector<Nanoseconds> offsets(processes.size());
  for (std::size_t process = 1; process < processes.size(); ++process)
    offsets[process] = clock_offset(matches, process);
  std::vector<StragglersSums> sums(processes.size());
  Nanoseconds skew = 0;
  for (Match& match : matches) {
    for (Part& part : match) {
      part.start -= offsets[part.process];
      part.end -= offsets[part.process];
    }
    const auto [first, last] = std::minmax_element(
        match.begin(), match.end(), [](const Part& a, const Part& b) { return a.start < b.start; });
    skew += last->start - first->start;
    ++sums[last->process].last;
    for (const Part& part : match) {
      StragglersSums& sum = sums[part.process];
      ++sum.collectives;
      sum.lateness += part.start - first->start;
      sum.waits.push_back({part.start, std::min(last->start, part.end)});
    }
  }
  for (std::size_t process = 0; process < processes.size(); ++process) {
    StragglersSums& sum = sums[process];
    if (sum.collectives == 0) continue;
    result::StragglerRow row;
    row.process = processes[process].name;
    row.rank = processes[process].cycles.front()->trace.rank;
    row.collectives = sum.collectives;
    row.last = sum.last;
    row.lateness_us = to_us(sum.lateness) / static_cast<double>(sum.collectives);
    row.waited_us = to_us(length(to_set(std::move(sum.waits))));
    if (offsets[process] != 0) row.clock_offset_us = to_us(offsets[process]);
    communication.stragglers.push_back(std::move(row));
  }
  std::stable_sort(communication.stragglers.begin(), communication.stragglers.end(),
                   [](const result::StragglerRow& a, const result::StragglerRow& b) {
                     return a.lateness_us > b.lateness_us;
                   });
  communication.skew_us = to_us(skew) / static_cast<double>(matches.size());
}

} // namespace debrief::aggregate
