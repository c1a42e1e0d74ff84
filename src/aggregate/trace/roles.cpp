#include "aggregate/trace/roles.h"

namespace debrief {

namespace {

Role annotation_role(std::string_view name) {
  if (is_data_loader(name)) return Role::data_loader;
  return is_collective_annotation(name) && !name.starts_with("nccl:") ? Role::communication
                                                                      : Role::none;
}

} // namespace

Roles::Roles(const Trace& trace)
    : trace_(trace)
    , kernels_(trace.names.size(), Role::none)
    , annotations_(trace.names.size(), Role::none) {
  std::vector<bool> seen(trace.names.size());
  for (const Slice& slice : trace.slices) {
    const auto name = static_cast<std::size_t>(slice.name);
    if (slice.kind == SliceKind::kernel && kernels_[name] == Role::none) {
      kernels_[name] =
          is_communication_kernel(trace.names[slice.name]) ? Role::communication : Role::kernel;
    } else if (slice.kind == SliceKind::annotation && !seen[name]) {
      seen[name] = true;
      annotations_[name] = annotation_role(trace.names[slice.name]);
    }
  }
}

bool Roles::communicates(const Slice& kernel) const {
  return kernel.details >= 0 &&
         trace_.launches[static_cast<std::size_t>(kernel.details)].collective >= 0;
}

Role Roles::of(const Slice& slice) const {
  const auto name = static_cast<std::size_t>(slice.name);
  switch (slice.kind) {
  case SliceKind::kernel:
    return communicates(slice) ? Role::communication : kernels_[name];
  case SliceKind::memcpy:
    return Role::memcpy;
  case SliceKind::memset:
    return Role::memset;
  case SliceKind::runtime:
    return Role::runtime;
  case SliceKind::op:
    return Role::op;
  case SliceKind::annotation:
    return annotations_[name];
  case SliceKind::module:
  case SliceKind::overhead:
  case SliceKind::gpu_annotation:
  case SliceKind::gpu_wait:
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

} // namespace debrief
