#include "aggregate/trace/figures.h"

#include <algorithm>
#include <map>
#include <string_view>

namespace debrief::aggregate {

namespace {

bool says(std::string_view name, std::string_view word) {
  return name.find(word) != name.npos;
}

/// What a call that is captured adds to the graph; nothing where it adds no work.
std::optional<job::SliceKind> captured_kind(std::string_view call) {
  if (says(call, "LaunchKernel") || says(call, "LaunchCooperativeKernel"))
    return job::SliceKind::kernel;
  if (says(call, "Memcpy")) return job::SliceKind::memcpy;
  if (says(call, "Memset")) return job::SliceKind::memset;
  return std::nullopt;
}

using GraphKinds = std::vector<job::SliceKind>; ///< of a graph's work, in its order

/// Operators of a capture's work, in its order.
struct CapturedGraph {
  std::vector<std::string_view> ops;
  bool ambiguous = false; ///< other captures of as much work have other operators
};

using CapturedGraphs = std::map<GraphKinds, CapturedGraph>;

/// When some thread of a trace captures.
IntervalSet<Nanoseconds> capture_times(const TraceIndex& index, std::int64_t& captures) {
  std::vector<TraceSpan> spans;
  bool captures_now = false;
  Nanoseconds since{};
  std::int32_t track = -1;
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (slices[i].kind != job::SliceKind::runtime) continue;
    captures_now = captures_now && slices[i].track == track;
    track = slices[i].track;
    const std::string_view name = index.name(static_cast<std::int32_t>(i));
    if (says(name, "StreamBeginCapture")) {
      since = slices[i].end();
      captures_now = true;
    } else if (captures_now && says(name, "StreamEndCapture")) {
      spans.push_back({since, slices[i].start});
      captures_now = false;
      ++captures;
    }
  }
  return to_set(std::move(spans));
}

void add_captures(const TraceIndex& index, CapturedGraphs& graphs, std::int64_t& captures) {
  const IntervalSet<Nanoseconds> times = capture_times(index, captures);
  if (times.empty()) return;
  const auto& slices = index.trace.slices;
  std::vector<bool> started(slices.size()); // calls whose work ran: they were not captured
  for (const std::int32_t call : index.launch)
    if (call != TraceIndex::kNone) started[static_cast<std::size_t>(call)] = true;
  std::vector<std::int32_t> calls;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (slices[i].kind != job::SliceKind::runtime || started[i]) continue;
    const std::int32_t around = index.parent[i]; // a runtime call that uses the driver's is one
    if (around != TraceIndex::kNone && slice_at(index, around).kind == job::SliceKind::runtime)
      continue;
    if (captured_kind(index.name(static_cast<std::int32_t>(i))))
      calls.push_back(static_cast<std::int32_t>(i));
  }
  std::stable_sort(calls.begin(), calls.end(), [&](std::int32_t a, std::int32_t b) {
    return slice_at(index, a).start < slice_at(index, b).start;
  });
  auto next = calls.begin();
  for (const TraceSpan& time : times) {
    GraphKinds kinds;
    CapturedGraph graph;
    while (next != calls.end() && slice_at(index, *next).start < time.first)
      ++next;
    for (; next != calls.end() && slice_at(index, *next).start < time.last; ++next) {
      kinds.push_back(*captured_kind(index.name(*next)));
      graph.ops.push_back(name_or_empty(index, index.op[static_cast<std::size_t>(*next)]));
    }
    if (kinds.empty()) continue;
    const auto [known, is_new] = graphs.try_emplace(std::move(kinds), graph);
    if (!is_new && known->second.ops != graph.ops) known->second.ambiguous = true;
  }
}

struct GraphOperatorSum {
  std::int64_t work = 0;
  Nanoseconds time{};
};

class GraphWorkSums {
public:
  explicit GraphWorkSums(const CapturedGraphs& captured)
      : captured_(captured) {}

  void add(const TraceIndex& index) {
    const auto& slices = index.trace.slices;
    std::vector<std::int32_t> work; // that graph launches started
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const auto slice = static_cast<std::int32_t>(i);
      if (slices[i].kind == job::SliceKind::runtime && is_graph_launch(index.name(slice)))
        ++out.launches;
      const std::int32_t call = index.launch[i];
      if (call != TraceIndex::kNone && is_graph_launch(index.name(call))) work.push_back(slice);
    }
    std::stable_sort(work.begin(), work.end(), [&](std::int32_t a, std::int32_t b) {
      const auto key = [&](std::int32_t of) {
        return std::pair{index.launch[static_cast<std::size_t>(of)], slice_at(index, of).start};
      };
      return key(a) < key(b);
    });
    for (auto from = work.begin(); from != work.end();) {
      const std::int32_t call = index.launch[static_cast<std::size_t>(*from)];
      const auto to = std::find_if(from, work.end(), [&](std::int32_t each) {
        return index.launch[static_cast<std::size_t>(each)] != call;
      });
      add_launch(index, {from, to});
      from = to;
    }
  }

  result::GraphWork finish() && {
    out.us = in_microseconds(all_);
    out.mapped_us = in_microseconds(mapped_);
    for (const auto& [op, sum] : sums_)
      out.operators.push_back({std::string{op}, sum.work, in_microseconds(sum.time),
                               all_ > Nanoseconds{} ? 100 * quotient(sum.time, all_) : 0});
    std::stable_sort(out.operators.begin(), out.operators.end(),
                     [](const auto& a, const auto& b) { return a.us > b.us; });
    if (out.operators.size() > result::kMaxTraceRows) out.operators.resize(result::kMaxTraceRows);
    return std::move(out);
  }

  result::GraphWork out;

private:
  /// The work of one launch, by start.
  void add_launch(const TraceIndex& index, std::span<const std::int32_t> work) {
    GraphKinds kinds;
    bool in_order = true; // branches that run side by side are in no order
    Nanoseconds end = Nanoseconds::min();
    for (const std::int32_t each : work) {
      const job::Slice& slice = slice_at(index, each);
      all_ += slice.duration;
      kinds.push_back(slice.kind);
      in_order = in_order && slice.start >= end;
      end = std::max(end, slice.end());
    }
    out.work += std::ssize(work);
    const auto found = captured_.find(kinds);
    if (!in_order || found == captured_.end() || found->second.ambiguous) return;
    for (std::size_t i = 0; i < work.size(); ++i) {
      GraphOperatorSum& sum = sums_[found->second.ops[i]];
      ++sum.work;
      sum.time += slice_at(index, work[i]).duration;
      mapped_ += slice_at(index, work[i]).duration;
    }
  }

  const CapturedGraphs& captured_;
  std::map<std::string_view, GraphOperatorSum> sums_;
  Nanoseconds all_{};
  Nanoseconds mapped_{};
};

} // namespace

result::GraphWork graph_work(std::span<const TraceIndex> traces) {
  CapturedGraphs captured;
  std::int64_t captures = 0;
  for (const TraceIndex& index : traces)
    add_captures(index, captured, captures);
  GraphWorkSums sums{captured};
  for (const TraceIndex& index : traces)
    sums.add(index);
  sums.out.captures = captures;
  return std::move(sums).finish();
}

} // namespace debrief::aggregate
