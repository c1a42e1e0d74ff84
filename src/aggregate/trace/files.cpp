#include "aggregate/trace/files.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::aggregate {

namespace {

result::TracedGpu gpu_of(const job::GpuProperties& gpu) {
  result::TracedGpu out{gpu.id, gpu.name, gpu.memory, gpu.multiprocessors, std::nullopt};
  if (gpu.compute_major && gpu.compute_minor)
    out.compute_capability = fmt::format("{}.{}", *gpu.compute_major, *gpu.compute_minor);
  return out;
}

} // namespace

result::TraceFile trace_file(const TraceIndex& index) {
  const job::Trace& trace = index.trace;
  result::TraceFile file;
  file.path = trace.path;
  file.process = trace.process;
  file.node = trace.node;
  file.rank = trace.rank;
  file.world_size = trace.world_size;
  file.backend = trace.backend;
  if (const auto span = trace.span()) {
    if (trace.clock_known) file.span = TimeSpan{span->first / 1000, span->second / 1000};
    file.duration_us = static_cast<double>(span->second - span->first) / 1000;
  }
  file.steps = std::count_if(index.steps.begin(), index.steps.end(),
                             [](const TraceStep& step) { return step.number.has_value(); });
  std::transform(trace.gpus.begin(), trace.gpus.end(), std::back_inserter(file.gpus), gpu_of);
  for (const auto& [category, count] : trace.counts)
    file.categories.push_back({category, static_cast<std::int64_t>(count)});
  const auto none_of = [&](auto is) {
    return std::none_of(trace.slices.begin(), trace.slices.end(), is);
  };
  if (none_of([](const job::Slice& slice) { return job::is_gpu_work(slice.kind); }))
    file.not_recorded.emplace_back("GPU");
  if (std::none_of(trace.inputs.begin(), trace.inputs.end(),
                   [](const job::InputArgs& inputs) { return inputs.dims >= 0; }))
    file.not_recorded.emplace_back("shapes");
  if (trace.memory.empty()) file.not_recorded.emplace_back("memory");
  if (!trace.with_stacks) file.not_recorded.emplace_back("stacks");
  return file;
}

} // namespace debrief::aggregate
