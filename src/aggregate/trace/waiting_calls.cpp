#include "aggregate/trace/waiting_calls.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

namespace debrief::aggregate {

namespace {

bool holds(const IntervalSet<Nanoseconds>& set, Nanoseconds time) {
  const auto after =
      std::upper_bound(set.begin(), set.end(), time, [](Nanoseconds moment, const TraceSpan& some) {
        return moment < some.first;
      });
  return after != set.begin() && time < std::prev(after)->last;
}

/// Process, call, operator, outermost cause.
using WaitsKey = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

struct WaitsSum {
  std::int64_t calls = 0;
  Nanoseconds duration{};
};

template <typename Take>
void for_each_wait(const TraceIndex& index, const WaitingCalls& calls, const Take& take) {
  const IntervalSet<Nanoseconds> profiled = profiled_host_time(index);
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i] || !holds(profiled, index.trace.slices[i].start)) continue;
    const auto is_wait = [&](std::int32_t around) {
      return calls[static_cast<std::size_t>(around)];
    };
    if (innermost(index, index.parent[i], is_wait) == TraceIndex::kNone)
      take(static_cast<std::int32_t>(i));
  }
}

} // namespace

IntervalSet<Nanoseconds> time_in(const TraceIndex& index, const WaitingCalls& calls) {
  std::vector<TraceSpan> waits;
  for_each_wait(index, calls, [&](std::int32_t call) {
    const job::Slice& slice = slice_at(index, call);
    waits.push_back({slice.start, slice.end()});
  });
  return to_set(std::move(waits));
}

std::vector<result::SyncRow> waiting_rows(std::span<const TraceIndex> traces,
                                          WaitingCalls (*calls_of)(const TraceIndex&)) {
  std::map<WaitsKey, WaitsSum> sums;
  for (const TraceIndex& index : traces)
    for_each_wait(index, calls_of(index), [&](std::int32_t call) {
      WaitsSum& sum = sums[{index.trace.process, index.name(call),
                            name_or_empty(index, innermost_op(index, call)),
                            name_or_empty(index, outermost_cause(index, call))}];
      ++sum.calls;
      sum.duration += slice_at(index, call).duration;
    });
  std::vector<result::SyncRow> rows;
  for (const auto& [key, sum] : sums) {
    const auto& [process, call, op, outer] = key;
    rows.push_back({std::string{process}, std::string{call}, std::string{op}, std::string{outer},
                    sum.calls, in_microseconds(sum.duration)});
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const result::SyncRow& a, const result::SyncRow& b) { return a.us > b.us; });
  if (rows.size() > result::kMaxTraceRows) rows.resize(result::kMaxTraceRows);
  return rows;
}

} // namespace debrief::aggregate
