#include "aggregate/trace/communication.h"

#include "aggregate/trace/collectives.h"
#include "aggregate/trace/processes.h"
#include "aggregate/trace/stragglers.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace debrief::aggregate {

namespace {

using result::CollectiveRow;

/// Of each cycle of a process.
using Cycles = std::vector<std::vector<Collective>>;

void add_rows(const std::string& process, const Cycles& cycles, std::size_t most,
              std::vector<CollectiveRow>& all) {
  std::map<std::tuple<std::string, bool, std::string, std::optional<std::int64_t>>, CollectiveRow>
      rows;
  for (const auto& collectives : cycles)
    for (const Collective& one : collectives) {
      CollectiveRow& row = rows[{one.name, one.gpu, one.dtype, one.bytes}];
      const double us = to_us(one.end - one.start);
      ++row.calls;
      row.total_us += us;
      row.max_us = std::max(row.max_us, us);
    }
  std::vector<CollectiveRow> own;
  for (auto& [key, row] : rows) {
    row.process = process;
    row.name = std::get<0>(key);
    row.where = std::get<1>(key) ? "GPU" : "CPU";
    row.dtype = std::get<2>(key);
    row.bytes = std::get<3>(key);
    row.mean_us = row.total_us / static_cast<double>(row.calls);
    if (row.bytes && row.mean_us > 0)
      row.bandwidth = static_cast<double>(*row.bytes) / row.mean_us / 1000; // B/us are MB/s
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
  Nanoseconds hidden = 0;
  Nanoseconds whole = 0;
  for (std::size_t cycle = 0; cycle < cycles.size(); ++cycle) {
    const TraceIndex& index = *process.cycles[cycle];
    const IntervalSet profiled = profiled_time(index);
    const Roles roles{index.trace};
    std::vector<NsInterval> compute;
    for (const job::Slice& slice : index.trace.slices)
      if (roles.of(slice) == Role::kernel) compute.push_back({slice.start, slice.end()});
    std::vector<NsInterval> exchange;
    for (const Collective& one : cycles[cycle])
      exchange.push_back({one.start, one.end});
    const IntervalSet computing = intersection(to_set(std::move(compute)), profiled);
    const IntervalSet communicating = intersection(to_set(std::move(exchange)), profiled);
    row.profiled_us += to_us(length(profiled));
    row.compute_us += to_us(length(computing));
    whole += length(communicating);
    hidden += intersection_length(computing, communicating);
  }
  row.communication_us = to_us(whole);
  row.hidden_us = to_us(hidden);
  row.exposed_us = to_us(whole - hidden);
  if (whole > 0)
    row.overlap_percent = 100 * static_cast<double>(hidden) / static_cast<double>(whole);
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

result::Communication communication(std::span<const TraceIndex> traces) {
  result::Communication out;
  const std::vector<TracedProcess> processes = by_process(traces);
  std::vector<Cycles> collectives;
  for (const TracedProcess& process : processes) {
    Cycles& cycles = collectives.emplace_back();
    for (const TraceIndex* index : process.cycles)
      cycles.push_back(collectives_of(*index, Roles{index->trace}));
  }
  constexpr std::size_t kMinRows = 10;
  const std::size_t most =
      std::max(kMinRows, result::kMaxTraceRows / std::max<std::size_t>(1, processes.size()));
  for (std::size_t i = 0; i < processes.size(); ++i) {
    const bool any = std::any_of(collectives[i].begin(), collectives[i].end(),
                                 [](const auto& cycle) { return !cycle.empty(); });
    if (!any) continue;
    add_rows(processes[i].name, collectives[i], most, out.collectives);
    out.overlap.push_back(overlap_of(processes[i], collectives[i]));
  }
  find_stragglers(processes, collectives, out);
  std::vector<const job::Trace*> all;
  for (const TraceIndex& index : traces)
    all.push_back(&index.trace);
  find_missing_ranks(all, out);
  return out;
}

} // namespace debrief::aggregate
