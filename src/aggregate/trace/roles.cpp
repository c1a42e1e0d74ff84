#include "aggregate/trace/roles.h"

namespace debrief::aggregate {

namespace {

Role annotation_role(std::string_view name) {
  if (job::is_data_loader(name)) return Role::data_loader;
  return is_collective_annotation(name) && !name.starts_with("nccl:") ? Role::communication
                                                                      : Role::none;
}

} // namespace

Roles::Roles(const job::Trace& trace)
    : trace_(trace)
    , kernels_(trace.names.size(), Role::none)
    , annotations_(trace.names.size(), Role::none) {
  std::vector<bool> seen(trace.names.size());
  for (const job::Slice& slice : trace.slices) {
    const auto name = static_cast<std::size_t>(slice.name);
    if (slice.kind == job::SliceKind::kernel && kernels_[name] == Role::none) {
      kernels_[name] =
          is_communication_kernel(trace.names[slice.name]) ? Role::communication : Role::kernel;
    } else if (slice.kind == job::SliceKind::annotation && !seen[name]) {
      seen[name] = true;
      annotations_[name] = annotation_role(trace.names[slice.name]);
    }
  }
}

bool Roles::communicates(const job::Slice& kernel) const {
  return kernel.details >= 0 &&
         trace_.launches[static_cast<std::size_t>(kernel.details)].collective >= 0;
}

Role Roles::of(const job::Slice& slice) const {
  const auto name = static_cast<std::size_t>(slice.name);
  switch (slice.kind) {
  case job::SliceKind::kernel:
    return communicates(slice) ? Role::communication : kernels_[name];
  case job::SliceKind::memcpy:
    return Role::memcpy;
  case job::SliceKind::memset:
    return Role::memset;
  case job::SliceKind::runtime:
    return Role::runtime;
  case job::SliceKind::op:
    return Role::op;
  case job::SliceKind::annotation:
    return annotations_[name];
  case job::SliceKind::module:
  case job::SliceKind::overhead:
  case job::SliceKind::gpu_annotation:
  case job::SliceKind::gpu_wait:
    return Role::none;
  }
  return Role::none;
}

IntervalSet profiled_time(const TraceIndex& index) {
  std::vector<NsInterval> steps;
  steps.reserve(index.steps.size());
  for (const TraceStep& step : index.steps)
    steps.push_back({step.start, step.end});
  return to_set(std::move(steps));
}

} // namespace debrief::aggregate
