#include "aggregate/trace/traces.h"

#include "aggregate/trace/annotations.h"
#include "aggregate/trace/communication.h"
#include "aggregate/trace/copies.h"
#include "aggregate/trace/files.h"
#include "aggregate/trace/gpu_activity.h"
#include "aggregate/trace/index.h"
#include "aggregate/trace/kernels.h"
#include "aggregate/trace/launches.h"
#include "aggregate/trace/memory.h"
#include "aggregate/trace/modules.h"
#include "aggregate/trace/operators.h"
#include "aggregate/trace/step_breakdown.h"
#include "aggregate/trace/step_views.h"
#include "aggregate/trace/syncs.h"
#include "util/parallel.h"

#include <array>
#include <functional>
#include <optional>

namespace debrief::aggregate {

namespace {

std::vector<TraceIndex> index_all(const std::vector<job::Trace>& traces) {
  std::vector<std::optional<TraceIndex>> found(traces.size());
  parallel_for(traces.size(), [&](std::size_t i) { found[i].emplace(traces[i]); });
  std::vector<TraceIndex> indices;
  indices.reserve(found.size());
  for (auto& index : found)
    indices.push_back(std::move(*index));
  return indices;
}

} // namespace

result::Traces trace_figures(const std::vector<job::Trace>& traces) {
  const std::vector<TraceIndex> indices = index_all(traces);
  result::Traces out;
  // Each of these fills its own part, so they can run side by side.
  const std::array<std::function<void()>, 13> parts = {
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
      [&] { out.gpus = gpu_activity(indices); },
      [&] { out.copies = trace_copies(indices); },
      [&] { out.launches = launch_stats(indices); },
      [&] { out.syncs = sync_rows(indices); },
      [&] { out.communication = communication(indices); },
      [&] { out.memory = device_memory(indices); },
      [&] { out.annotations = annotation_rows(indices); },
      [&] { out.modules = module_rows(indices); },
      [&] { out.views = step_views(indices); },
  };
  parallel_for(parts.size(), [&](std::size_t i) { parts[i](); });
  return out;
}

} // namespace debrief::aggregate
