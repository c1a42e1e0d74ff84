#include "aggregate/trace/figures.h"

#include "aggregate/trace/blocking_copies.h"
#include "aggregate/trace/copies.h"
#include "aggregate/trace/index.h"
#include "aggregate/trace/setup_calls.h"
#include "result/trace.h"
#include "util/parallel.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>

namespace debrief::aggregate {

namespace {

// What each trace file is: whose, when, of which GPUs, and what it does not record.

result::TracedGpu gpu_of(const job::GpuProperties& gpu) {
  result::TracedGpu out{gpu.id, gpu.name, gpu.memory, gpu.multiprocessors, std::nullopt};
  if (gpu.compute_major && gpu.compute_minor)
    out.compute_capability = fmt::format("{}.{}", *gpu.compute_major, *gpu.compute_minor);
  return out;
}

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
    if (trace.clock_known)
      file.span = TimeSpan{to_microseconds(span->first), to_microseconds(span->second)};
    file.duration_us = in_microseconds(span->second - span->first);
  }
  file.steps = std::count_if(index.steps.begin(), index.steps.end(),
                             [](const TraceStep& step) { return step.number.has_value(); });
  file.step_source = index.step_source;
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

} // namespace

result::Traces trace_figures(std::span<const TraceIndex> indices) {
  result::Traces out;
  // Each of these fills its own part, so they can run side by side.
  StepWaits waits;
  const std::array<std::function<void()>, 19> parts = {
      [&] {
        for (const TraceIndex& index : indices)
          out.files.push_back(trace_file(index));
      },
      [&] {
        StepFigures figures = step_breakdown(indices);
        out.steps = std::move(figures.steps);
        out.processes = std::move(figures.processes);
      },
      [&] { out.operators = trace_operators(indices); },
      [&] { out.kernels = trace_kernels(indices); },
      [&] { out.performance = operator_performance(indices); },
      [&] { out.gpus = gpu_activity(indices); },
      [&] { out.copies = trace_copies(indices); },
      [&] { out.launches = launch_stats(indices); },
      [&] { out.syncs = sync_rows(indices); },
      [&] { out.blocking_copies = blocking_copies(indices); },
      [&] { out.setup = setup_rows(indices); },
      [&] { out.communication = communication(indices, &waits); },
      [&] { out.recomputation = recomputation(indices); },
      [&] { out.graphs = graph_work(indices); },
      [&] { out.memory = device_memory(indices); },
      [&] { out.annotations = annotation_rows(indices); },
      [&] { out.modules = module_rows(indices); },
      [&] { out.stacks = operator_stacks(indices); },
      [&] {
        StepViews found = step_views(indices);
        out.views = std::move(found.views);
        out.critical_paths = std::move(found.paths);
      },
  };
  parallel_for(parts.size(), [&](std::size_t i) { parts[i](); });
  add_other_ranks(indices, out.communication.stragglers, out.views);
  std::size_t row = 0; // of out.steps, which are by trace, then time
  for (const TraceIndex& index : indices)
    for (const TraceStep& step : index.steps) {
      if (const auto found = waits.find(&step); found != waits.end())
        out.steps[row].waited_us = in_microseconds(found->second);
      ++row;
    }
  out.slowest = slowest_processes(out.steps, out.files);
  return out;
}

} // namespace debrief::aggregate
