#include "aggregate/trace/collectives.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "result/trace.h"
#include "util/interval_set.h"
#include "util/median.h"
#include "util/parallel.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <tuple>
#include <vector>

namespace debrief::aggregate {

namespace {

// Who comes late to collectives, so that all others wait.
//
// The k-th collective of one name (and process group, and size where all ranks have the same) of a
// step is the same one in every process; where processes disagree on how many there are, that step
// says nothing. Clocks of different hosts may differ: collectives end together, so where the ends
// of two processes lie steadily apart, more steadily than their starts, the distance is taken as
// the difference of their clocks.

/// Ends that are this much apart are the clocks' doing; less is the collective's own.
inline constexpr Nanoseconds kClocksDiffer{1'000'000};

/// One collective as one process saw it.
struct Part {
  std::size_t process = 0;
  Nanoseconds start{};
  Nanoseconds end{};
  Collective* collective = nullptr;
  const TraceStep* step = nullptr;
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

StragglersKey key_of(const Collective& collective, const TraceStep& step, std::size_t cycle) {
  const auto& number = step.number;
  const std::int64_t bytes = is_even(collective.name) ? collective.bytes.value_or(-1) : -1;
  return StragglersKey{collective.name, collective.group, bytes, number.has_value(),
                       number.value_or(static_cast<std::int64_t>(cycle))};
}

/// Of each cycle of a process.
using Cycles = std::vector<std::vector<Collective>>;

std::vector<Match> matches_of(std::span<const TracedProcess> processes,
                              std::span<Cycles> collectives) {
  std::map<StragglersKey, std::map<std::size_t, std::vector<Part>>> keyed;
  for (std::size_t process = 0; process < processes.size(); ++process)
    for (std::size_t cycle = 0; cycle < processes[process].cycles.size(); ++cycle) {
      const TraceIndex& index = *processes[process].cycles[cycle];
      if (!index.trace.clock_known) continue;
      for (Collective& collective : collectives[process][cycle]) {
        const TraceStep* step = step_at(index.steps, collective.issued);
        if (step != nullptr && is_shared(collective))
          keyed[key_of(collective, *step, cycle)][process].push_back(
              {process, collective.start, collective.end, &collective, step});
      }
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

/// The median distance from the median.
Nanoseconds spread(std::vector<Nanoseconds> values) {
  const Nanoseconds middle = median(values);
  for (Nanoseconds& value : values)
    value = value > middle ? value - middle : middle - value;
  return median(std::move(values));
}

/// How far a process's part in each collective is from the first process's.
struct Distances {
  std::vector<Nanoseconds> ends;
  std::vector<Nanoseconds> starts;
};

/// By how much the clock of each process is ahead of the first process's; 0 where they agree.
std::vector<Nanoseconds> clock_offsets(const std::vector<Match>& matches, std::size_t processes) {
  std::vector<Distances> distances(processes);
  for (const Match& match : matches) {
    const Part& first = match.front();
    if (first.process != 0) continue;
    for (std::size_t i = 1; i < match.size(); ++i) {
      Distances& own = distances[match[i].process];
      own.ends.push_back(match[i].end - first.end);
      own.starts.push_back(match[i].start - first.start);
    }
  }
  std::vector<Nanoseconds> offsets(processes);
  for (std::size_t process = 1; process < processes; ++process) {
    auto& [ends, starts] = distances[process];
    if (ends.empty() || spread(ends) > spread(starts)) continue;
    const Nanoseconds offset = median(std::move(ends));
    if (offset > kClocksDiffer || offset < -kClocksDiffer) offsets[process] = offset;
  }
  return offsets;
}

struct StragglersSums {
  std::int64_t collectives = 0;
  std::int64_t last = 0;
  Nanoseconds lateness{};
  std::vector<TraceSpan> waits;
};

/// Fills `stragglers`, `skew_us` and `wait_percent`, and how long each of `collectives` and each
/// step waited.
/// Traces of unknown clock have no part in it.
void find_stragglers(std::span<const TracedProcess> processes, std::span<Cycles> collectives,
                     result::Communication& communication, StepWaits& step_waits) {
  std::vector<Match> matches = matches_of(processes, collectives);
  if (matches.empty()) return;
  const std::vector<Nanoseconds> offsets = clock_offsets(matches, processes.size());
  std::vector<StragglersSums> sums(processes.size());
  std::map<const TraceStep*, std::vector<TraceSpan>> waits;
  Nanoseconds skew{};
  Nanoseconds waited{};
  Nanoseconds all{};
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
      part.collective->waited = sum.waits.back().length();
      waits[part.step].push_back(sum.waits.back());
      waited += sum.waits.back().length();
      all += part.end - part.start;
    }
  }
  for (auto& [step, spans] : waits)
    step_waits.emplace(step, total_length(to_set(std::move(spans))));
  for (std::size_t process = 0; process < processes.size(); ++process) {
    StragglersSums& sum = sums[process];
    if (sum.collectives == 0) continue;
    result::StragglerRow row;
    row.process = processes[process].name;
    row.rank = processes[process].cycles.front()->trace.rank;
    row.collectives = sum.collectives;
    row.last = sum.last;
    row.lateness_us = in_microseconds(sum.lateness) / static_cast<double>(sum.collectives);
    row.waited_us = in_microseconds(total_length(to_set(std::move(sum.waits))));
    if (offsets[process] != Nanoseconds{}) row.clock_offset_us = in_microseconds(offsets[process]);
    communication.stragglers.push_back(std::move(row));
  }
  std::stable_sort(communication.stragglers.begin(), communication.stragglers.end(),
                   [](const result::StragglerRow& a, const result::StragglerRow& b) {
                     return a.lateness_us > b.lateness_us;
                   });
  communication.skew_us = in_microseconds(skew) / static_cast<double>(matches.size());
  if (all > Nanoseconds{}) communication.wait_percent = 100 * quotient(waited, all);
}

using result::CollectiveRow;

/// What each rank sends over the bus for a byte of the collective, after nccl-tests; nothing where
/// the collective is not among its.
std::optional<double> bus_factor(const std::string& name, std::int64_t ranks) {
  const auto n = static_cast<double>(ranks);
  if (name == "all_reduce") return 2 * (n - 1) / n;
  if (name == "all_gather" || name == "reduce_scatter" || name == "all_to_all") return (n - 1) / n;
  if (name == "broadcast" || name == "reduce") return 1;
  return std::nullopt;
}

/// Without the time in which it waited for others, as far as that is known.
void add_bandwidth(CollectiveRow& row) {
  const double us = row.transfer_us.value_or(row.min_us);
  if (!row.bytes || us <= 0) return;
  row.bandwidth = static_cast<double>(*row.bytes) / us / 1000; // B/us are MB/s
  if (row.ranks && *row.ranks > 0)
    if (const auto factor = bus_factor(row.name, *row.ranks))
      row.bus_bandwidth = *factor * *row.bandwidth;
}

void add_rows(const std::string& process, const Cycles& cycles, std::size_t most,
              std::vector<CollectiveRow>& all) {
  struct Row {
    CollectiveRow row;
    double transfer_us = 0; ///< of those that were matched
    double matched = 0;
  };

  std::map<std::tuple<std::string, bool, std::string, std::optional<std::int64_t>>, Row> rows;
  for (const auto& collectives : cycles)
    for (const Collective& one : collectives) {
      Row& sums = rows[{one.name, one.gpu, one.dtype, one.bytes}];
      CollectiveRow& row = sums.row;
      const double us = in_microseconds(one.end - one.start);
      row.min_us = row.calls == 0 ? us : std::min(row.min_us, us);
      ++row.calls;
      row.total_us += us;
      row.max_us = std::max(row.max_us, us);
      if (one.ranks) row.ranks = std::max(row.ranks.value_or(0), *one.ranks);
      if (!one.waited) continue;
      ++sums.matched;
      sums.transfer_us += us - in_microseconds(*one.waited);
    }
  std::vector<CollectiveRow> own;
  for (auto& [key, sums] : rows) {
    CollectiveRow& row = sums.row;
    row.process = process;
    row.name = std::get<0>(key);
    row.where = std::get<1>(key) ? "GPU" : "CPU";
    row.dtype = std::get<2>(key);
    row.bytes = std::get<3>(key);
    row.mean_us = row.total_us / static_cast<double>(row.calls);
    if (sums.matched > 0) row.transfer_us = sums.transfer_us / sums.matched;
    add_bandwidth(row);
    own.push_back(std::move(row));
  }
  std::stable_sort(own.begin(), own.end(), [](const CollectiveRow& a, const CollectiveRow& b) {
    return a.total_us > b.total_us;
  });
  if (own.size() > most) own.resize(most);
  std::move(own.begin(), own.end(), std::back_inserter(all));
}

result::OverlapRow overlap_of(const TracedProcess& process, const Cycles& cycles) {
  result::OverlapRow row;
  row.process = process.name;
  row.rank = process.cycles.front()->trace.rank;
  Nanoseconds hidden{};
  Nanoseconds whole{};
  for (std::size_t cycle = 0; cycle < cycles.size(); ++cycle) {
    const TraceIndex& index = *process.cycles[cycle];
    const IntervalSet<Nanoseconds> profiled = profiled_time(index);
    const Roles& roles = index.roles;
    std::vector<TraceSpan> compute;
    const auto& slices = index.trace.slices;
    for (std::size_t i = 0; i < slices.size(); ++i)
      if (roles.of(i) == Role::kernel) compute.push_back({slices[i].start, slices[i].end()});
    std::vector<TraceSpan> exchange;
    for (const Collective& one : cycles[cycle])
      exchange.push_back({one.start, one.end});
    const IntervalSet<Nanoseconds> computing = intersection(to_set(std::move(compute)), profiled);
    const IntervalSet<Nanoseconds> communicating =
        intersection(to_set(std::move(exchange)), profiled);
    row.profiled_us += in_microseconds(total_length(profiled));
    row.compute_us += in_microseconds(total_length(computing));
    whole += total_length(communicating);
    hidden += intersection_length(computing, communicating);
  }
  row.communication_us = in_microseconds(whole);
  row.hidden_us = in_microseconds(hidden);
  row.exposed_us = in_microseconds(whole - hidden);
  if (whole > Nanoseconds{}) row.overlap_percent = 100 * quotient(hidden, whole);
  return row;
}

} // namespace

void find_missing_ranks(std::span<const job::Trace* const> traces, result::Communication& out) {
  std::set<std::int64_t> present;
  std::set<std::int64_t> named; // by process groups
  std::int64_t world = 0;
  for (const job::Trace* trace : traces) {
    if (!trace->rank) return; // it may be any of them
    present.insert(*trace->rank);
    world = std::max(world, trace->world_size.value_or(0));
    for (const job::ProcessGroup& group : trace->groups)
      named.insert(group.ranks.begin(), group.ranks.end());
  }
  const auto miss = [&](std::int64_t rank) {
    if (out.missing_ranks.size() < result::kMaxMissingRanks) out.missing_ranks.push_back(rank);
  };
  if (world > 0) {
    out.missing_count = world;
    for (const std::int64_t rank : present)
      if (rank >= 0 && rank < world) --out.missing_count;
    for (std::int64_t rank = 0; rank < world && out.missing_ranks.size() < result::kMaxMissingRanks;
         ++rank)
      if (!present.contains(rank)) miss(rank);
    return;
  }
  for (const std::int64_t rank : named)
    if (!present.contains(rank)) {
      ++out.missing_count;
      miss(rank);
    }
}

result::Communication communication(std::span<const TraceIndex> traces, StepWaits* waits) {
  StepWaits unused;
  result::Communication out;
  const std::vector<TracedProcess> processes = by_process(traces);
  std::vector<Cycles> collectives(processes.size());
  std::vector<std::optional<result::OverlapRow>> overlaps(processes.size());
  parallel_for(processes.size(), [&](std::size_t i) {
    for (const TraceIndex* index : processes[i].cycles)
      collectives[i].push_back(collectives_of(*index));
    const bool any = std::any_of(collectives[i].begin(), collectives[i].end(),
                                 [](const auto& cycle) { return !cycle.empty(); });
    if (any) overlaps[i] = overlap_of(processes[i], collectives[i]);
  });
  find_stragglers(processes, collectives, out, waits != nullptr ? *waits : unused);
  constexpr std::size_t kMinRows = 10;
  const std::size_t most =
      std::max(kMinRows, result::kMaxTraceRows / std::max<std::size_t>(1, processes.size()));
  for (std::size_t i = 0; i < processes.size(); ++i) {
    if (!overlaps[i]) continue;
    add_rows(processes[i].name, collectives[i], most, out.collectives);
    out.overlap.push_back(std::move(*overlaps[i]));
  }
  std::vector<const job::Trace*> all;
  for (const TraceIndex& index : traces)
    all.push_back(&index.trace);
  find_missing_ranks(all, out);
  return out;
}

} // namespace debrief::aggregate
