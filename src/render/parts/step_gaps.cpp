#include "render/parts/step_gaps.h"

#include "render/parts/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace debrief::render {

namespace {

using result::StepSlice;
using result::StepView;

constexpr std::int32_t kRuntimeKind = 3; ///< in result::kSliceKinds

std::int64_t overlap(const StepSlice& slice, const StepGap& gap) {
  return std::min(slice.start_ns + slice.duration_ns, gap.to_ns) -
         std::max(slice.start_ns, gap.from_ns);
}

/// The step itself holds all that happens, and says nothing.
bool is_step(const std::string& name) {
  return name.starts_with("ProfilerStep#");
}

/// The name that covers most of the gap among some slices of a thread, and by how much.
struct Most {
  std::int32_t name = -1;
  std::int64_t time = 0;
};

Most most_of(const std::map<std::int32_t, std::int64_t>& times) {
  Most out;
  for (const auto& [name, time] : times)
    if (time > out.time) out = {name, time};
  return out;
}

std::string meanwhile(const StepView& view, const StepGap& gap) {
  std::map<std::int32_t, std::int64_t> outer; // by name: what nothing but the step holds
  std::map<std::int32_t, std::int64_t> calls; // runtime calls
  std::vector<std::int64_t> held; // until when, by track: what begins earlier lies inside
  held.assign(view.tracks.size(), INT64_MIN);
  for (const StepSlice& slice : view.slices) {
    const auto track = static_cast<std::size_t>(slice.track);
    if (view.tracks[track].gpu || !view.tracks[track].other.empty()) continue;
    const std::int64_t shared = overlap(slice, gap);
    if (shared <= 0 || is_step(view.names[static_cast<std::size_t>(slice.name)])) continue;
    if (slice.kind == kRuntimeKind) calls[slice.name] += shared;
    if (slice.start_ns < held[track]) continue;
    held[track] = slice.start_ns + slice.duration_ns;
    outer[slice.name] += shared;
  }
  const auto name_of = [&](std::int32_t name) {
    return truncate(view.names[static_cast<std::size_t>(name)]);
  };
  const Most work = most_of(outer);
  const Most call = most_of(calls);
  if (work.time * 4 < gap.length()) return "Python outside operators";
  if (call.name >= 0 && call.name != work.name && call.time * 2 >= gap.length())
    return fmt::format("{}, in {}", name_of(work.name), name_of(call.name));
  return name_of(work.name);
}

} // namespace

std::vector<StepGap> gpu_gaps(const StepView& view) {
  std::vector<std::pair<std::int64_t, std::int64_t>> busy;
  const auto end = static_cast<std::int64_t>(view.shown_us * 1000);
  for (const StepSlice& slice : view.slices) {
    const result::StepTrack& track = view.tracks[static_cast<std::size_t>(slice.track)];
    if (!track.gpu || !track.other.empty()) continue;
    const std::int64_t from = std::max<std::int64_t>(slice.start_ns, 0);
    const std::int64_t to = std::min(slice.start_ns + slice.duration_ns, end);
    if (to > from) busy.emplace_back(from, to);
  }
  std::vector<StepGap> out;
  if (busy.empty()) return out;
  std::sort(busy.begin(), busy.end());
  const double least = kLeastGap * view.us * 1000;
  std::int64_t at = 0;
  const auto add = [&](std::int64_t from, std::int64_t to) {
    if (static_cast<double>(to - from) < least || to <= from) return;
    StepGap gap{from, to, {}};
    gap.meanwhile = meanwhile(view, gap);
    out.push_back(std::move(gap));
  };
  for (const auto& [from, to] : busy) {
    add(at, from);
    at = std::max(at, to);
  }
  add(at, end);
  return out;
}

} // namespace debrief::render
