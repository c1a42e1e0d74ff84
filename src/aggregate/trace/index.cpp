#include "aggregate/trace/index.h"

#include <algorithm>
#include <unordered_map>

namespace debrief {

namespace {

/// Kinds that hold others, and are held.
bool nests(SliceKind kind) {
  return kind == SliceKind::op || kind == SliceKind::annotation || kind == SliceKind::module ||
         kind == SliceKind::runtime;
}

void find_parents(const Trace& trace, std::vector<std::int32_t>& parent) {
  std::vector<std::int32_t> open; // of the current track; each starts before the next
  std::int32_t track = -1;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const Slice& slice = trace.slices[i];
    if (!nests(slice.kind)) continue;
    if (slice.track != track) open.clear();
    track = slice.track;
    const auto at = [&](std::int32_t index) -> const Slice& {
      return trace.slices[static_cast<std::size_t>(index)];
    };
    while (!open.empty() && at(open.back()).end() <= slice.start)
      open.pop_back();
    const auto holds = [&](std::int32_t index) { return at(index).end() >= slice.end(); };
    const auto found = std::find_if(open.rbegin(), open.rend(),
                                    holds); // what overlaps without nesting is passed over
    if (found != open.rend()) parent[i] = *found;
    open.push_back(static_cast<std::int32_t>(i));
  }
}

std::vector<TraceStep> find_steps(const Trace& trace) {
  std::vector<TraceStep> steps;
  for (const Slice& slice : trace.slices)
    if (slice.kind == SliceKind::annotation && slice.duration > 0 &&
        is_profiler_step(trace.names[slice.name]))
      steps.push_back({slice.start, slice.end(), profiler_step_number(trace.names[slice.name])});
  const auto by_time = [](const TraceStep& a, const TraceStep& b) { return a.start < b.start; };
  std::sort(steps.begin(), steps.end(), by_time);
  if (const auto span = trace.span(); steps.empty() && span && span->second > span->first)
    steps.push_back({span->first, span->second, std::nullopt});
  return steps;
}

} // namespace

TraceIndex::TraceIndex(const Trace& of)
    : trace(of)
    , parent(of.slices.size(), kNone)
    , launch(of.slices.size(), kNone)
    , op(of.slices.size(), kNone)
    , steps(find_steps(of)) {
  find_parents(trace, parent);
  std::unordered_map<std::int64_t, std::int32_t> calls; // by correlation
  std::unordered_map<std::int64_t, std::int32_t> ops;   // by External id
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const Slice& slice = trace.slices[i];
    const auto index = static_cast<std::int32_t>(i);
    if (slice.kind == SliceKind::op && slice.external != Slice::kNone)
      ops.emplace(slice.external, index);
    if (slice.kind != SliceKind::runtime) continue;
    if (slice.correlation != Slice::kNone) calls.emplace(slice.correlation, index);
    std::int32_t around = parent[i];
    while (around != kNone && trace.slices[static_cast<std::size_t>(around)].kind != SliceKind::op)
      around = parent[static_cast<std::size_t>(around)];
    op[i] = around;
  }
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const Slice& slice = trace.slices[i];
    if (!is_gpu_work(slice.kind)) continue;
    if (const auto call = calls.find(slice.correlation);
        slice.correlation != Slice::kNone && call != calls.end()) {
      launch[i] = call->second;
      op[i] = op[static_cast<std::size_t>(call->second)];
    }
    if (const auto same = ops.find(slice.external); op[i] == kNone && same != ops.end())
      op[i] = same->second;
  }
}

bool is_collective_annotation(std::string_view annotation) {
  return annotation.starts_with("nccl:") || annotation.starts_with("gloo:") ||
         annotation.starts_with("mpi:") || annotation.starts_with("ucc:") ||
         annotation.starts_with("c10d::");
}

bool is_communication_kernel(std::string_view kernel) {
  return kernel.find("nccl") != kernel.npos || kernel.find("rccl") != kernel.npos;
}

} // namespace debrief
