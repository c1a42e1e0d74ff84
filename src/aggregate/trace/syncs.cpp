#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace debrief::aggregate {

namespace {

constexpr std::array kCopyingOps = {"aten::item", "aten::_local_scalar_dense", "aten::to",
                                    "aten::_to_copy", "aten::copy_"};

bool is_copying_op(std::string_view name) {
  return std::find(kCopyingOps.begin(), kCopyingOps.end(), name) != kCopyingOps.end();
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

/// By slice: calls in which the host waits.
std::vector<bool> waiting_calls(const TraceIndex& index) {
  const auto& slices = index.trace.slices;
  std::vector<bool> waits(slices.size());
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const auto slice = static_cast<std::int32_t>(i);
    if (slices[i].kind == job::SliceKind::runtime && is_synchronizing(index.name(slice)))
      waits[i] = true;
    const std::int32_t call = index.launch[i];
    if (slices[i].kind != job::SliceKind::memcpy || call == TraceIndex::kNone) continue;
    if (copy_blocks(index, slice)) waits[static_cast<std::size_t>(call)] = true;
  }
  return waits;
}

bool holds(const IntervalSet<Nanoseconds>& set, Nanoseconds time) {
  const auto after =
      std::upper_bound(set.begin(), set.end(), time, [](Nanoseconds moment, const TraceSpan& some) {
        return moment < some.first;
      });
  return after != set.begin() && time < std::prev(after)->last;
}

/// Process, call, operator, outermost cause.
using SyncsKey = std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>;

struct SyncsSum {
  std::int64_t calls = 0;
  Nanoseconds duration{};
};

/// The calls of profiled steps in which the host waits; one inside of another is part of it.
template <typename Take>
void for_each_wait(const TraceIndex& index, const Take& take) {
  const std::vector<bool> waits = waiting_calls(index);
  const IntervalSet<Nanoseconds> profiled = profiled_host_time(index);
  for (std::size_t i = 0; i < waits.size(); ++i) {
    if (!waits[i] || !holds(profiled, index.trace.slices[i].start)) continue;
    const auto is_wait = [&](std::int32_t around) {
      return waits[static_cast<std::size_t>(around)];
    };
    if (innermost(index, index.parent[i], is_wait) == TraceIndex::kNone)
      take(static_cast<std::int32_t>(i));
  }
}

void add(const TraceIndex& index, std::map<SyncsKey, SyncsSum>& sums) {
  for_each_wait(index, [&](std::int32_t call) {
    SyncsSum& sum = sums[{index.trace.process, index.name(call),
                          name_or_empty(index, innermost_op(index, call)),
                          name_or_empty(index, outermost_cause(index, call))}];
    ++sum.calls;
    sum.duration += slice_at(index, call).duration;
  });
}

} // namespace

bool copy_blocks(const TraceIndex& index, std::int32_t memcpy) {
  const std::int32_t call = index.launch[static_cast<std::size_t>(memcpy)];
  const std::string_view copy = index.name(memcpy);
  if (!contains(copy, "DtoH")) return false;
  if (contains(copy, "Pinned") && contains(index.name(call), "Async")) return false;
  const auto copies = [&](std::int32_t around) {
    return slice_at(index, around).kind == job::SliceKind::op && is_copying_op(index.name(around));
  };
  return innermost(index, call, copies) != TraceIndex::kNone;
}

bool is_synchronizing(std::string_view call) {
  return call.ends_with("Synchronize") && (call.starts_with("cu") || call.starts_with("hip"));
}

IntervalSet<Nanoseconds> host_blocked(const TraceIndex& index) {
  std::vector<TraceSpan> waits;
  for_each_wait(index, [&](std::int32_t call) {
    const job::Slice& slice = slice_at(index, call);
    waits.push_back({slice.start, slice.end()});
  });
  return to_set(std::move(waits));
}

std::vector<result::SyncRow> sync_rows(std::span<const TraceIndex> traces) {
  std::map<SyncsKey, SyncsSum> sums;
  for (const TraceIndex& index : traces)
    add(index, sums);
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
