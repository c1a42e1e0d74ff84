#include "aggregate/trace/host_times.h"

#include "aggregate/trace/blocking_copies.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/setup_calls.h"

#include <string_view>
#include <vector>

namespace debrief::aggregate {

namespace {

/// Threads from which work of the GPU was launched: of others nothing follows for the GPU.
std::vector<bool> launching_tracks(const TraceIndex& index) {
  std::vector<bool> launching(index.trace.tracks.size());
  for (const std::int32_t call : index.launch)
    if (call != TraceIndex::kNone)
      launching[static_cast<std::size_t>(slice_at(index, call).track)] = true;
  return launching;
}

/// PyTorch's own ranges, which hold code between operators; those that users name hold anything.
bool is_of_pytorch(std::string_view annotation) {
  return annotation.starts_with("Optimizer.") || annotation.starts_with("Torch-Compiled Region");
}

/// When a launching thread was at work for the GPU.
IntervalSet<Nanoseconds> in_pytorch(const TraceIndex& index) {
  const std::vector<bool> launching = launching_tracks(index);
  const auto& slices = index.trace.slices;
  std::vector<TraceSpan> found;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const job::Slice& slice = slices[i];
    if (job::is_gpu_work(slice.kind) || !launching[static_cast<std::size_t>(slice.track)]) continue;
    const bool works = index.roles.of(i) != Role::none ||
                       (slice.kind == job::SliceKind::annotation &&
                        is_of_pytorch(index.name(static_cast<std::int32_t>(i))));
    if (works) add_interval(found, {slice.start, slice.end()});
  }
  return merged(to_set(std::move(found)), kOtherCode);
}

} // namespace

HostTimes host_times(const TraceIndex& index) {
  std::vector<TraceSpan> loading;
  std::vector<TraceSpan> collectives;
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const Role role = index.roles.of(i);
    if (role == Role::data_loader) add_interval(loading, {slices[i].start, slices[i].end()});
    if (role == Role::communication && !job::is_gpu_work(slices[i].kind))
      add_interval(collectives, {slices[i].start, slices[i].end()});
  }
  HostTimes out;
  out.blocked = host_blocked(index);
  out.loading = to_set(std::move(loading));
  out.collectives = to_set(std::move(collectives));
  out.setup = difference(time_in(index, setup_calls(index)), out.loading);
  out.copying =
      difference(difference(time_in(index, copying_calls(index)), out.loading), out.setup);
  const IntervalSet<Nanoseconds> known = in_pytorch(index);
  if (known.empty()) return out; // the host was not recorded
  out.outside = difference(profiled_time(index), known);
  for (const auto* told : {&out.blocked, &out.loading, &out.setup, &out.copying, &out.collectives})
    out.outside = difference(out.outside, *told);
  return out;
}

} // namespace debrief::aggregate
