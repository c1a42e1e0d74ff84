#include "ingest/kineto/builder.h"

#include "ingest/kineto/header.h"
#include "util/parallel.h"
#include "util/sort_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

namespace debrief::ingest::kineto {

namespace {

auto nesting_order(const job::Slice& slice) {
  return std::tuple{slice.start,    -slice.duration,   slice.kind,
                    slice.external, slice.correlation, slice.name};
}

struct InNestingOrder {
  bool operator()(const job::Slice& a, const job::Slice& b) const {
    if (a.start != b.start) return a.start < b.start;
    return nesting_order(a) < nesting_order(b);
  }
};

/// Ids of a chunk's values in the whole.
using Ids = std::vector<std::int32_t>;

std::int32_t at(const Ids& ids, std::int32_t id) {
  return id < 0 ? id : ids[static_cast<std::size_t>(id)];
}

/// Differences of two times within it fit.
constexpr Nanoseconds kFarthest{std::int64_t{1} << 62U}; // the year 2116

struct Window {
  Nanoseconds first = -kFarthest;
  Nanoseconds last = kFarthest;

  bool holds(Nanoseconds start, Nanoseconds end) const { return first <= start && end <= last; }
};

/// As an integer, at most as far as kFarthest.
Nanoseconds saturated(double time) {
  constexpr auto kMost = static_cast<double>(kFarthest.count());
  return Nanoseconds{static_cast<std::int64_t>(std::clamp(time, -kMost, kMost))};
}

/// Where events are believed; see kMinReach. With three events or fewer there is no way to spot an
/// outlier.
Window window_of(std::vector<Nanoseconds> starts) {
  if (starts.size() < 4) return {};
  const auto first = starts.begin() + static_cast<std::ptrdiff_t>(starts.size() / 4);
  const auto last = starts.end() - 1 - static_cast<std::ptrdiff_t>(starts.size() / 4);
  std::nth_element(starts.begin(), first, starts.end());
  std::nth_element(first, last, starts.end());
  const auto middle_first = static_cast<double>(first->count());
  const auto middle_last = static_cast<double>(last->count());
  const double reach = std::max(kMinReach, kReachInLengths * (middle_last - middle_first));
  return {saturated(middle_first - reach), saturated(middle_last + reach)};
}

} // namespace

std::unique_ptr<chrome_trace::EventChunk> TraceBuilder::new_chunk() const {
  return std::make_unique<TraceChunk>(path_);
}

void TraceBuilder::absorb(const chrome_trace::EventChunk& own) {
  const auto& chunk = static_cast<const TraceChunk&>(own);
  counts_.absorb(chunk.counts);
  for (const auto& [track, name] : chunk.thread_names)
    thread_names_[track] = name;
  absorb_slices(chunk);
}

void TraceBuilder::absorb_slices(const TraceChunk& chunk) {
  Ids names;
  for (job::StringTable::Id id = 0; static_cast<std::size_t>(id) < chunk.names.size(); ++id)
    names.push_back(trace_.names.intern(chunk.names[id]));
  Ids tracks;
  for (const TrackKey& track : chunk.tracks.values())
    tracks.push_back(tracks_.id_of(track));
  Ids collectives;
  for (job::CollectiveArgs args : chunk.collectives.values()) {
    args.name = at(names, args.name);
    args.dtype = at(names, args.dtype);
    args.group = at(names, args.group);
    collectives.push_back(collectives_.id_of(args));
  }
  Ids inputs;
  for (job::InputArgs args : chunk.inputs.values()) {
    args.dims = at(names, args.dims);
    args.types = at(names, args.types);
    args.concrete = at(names, args.concrete);
    args.collective = at(collectives, args.collective);
    inputs.push_back(inputs_.id_of(args));
  }
  Ids launches;
  for (job::LaunchArgs args : chunk.launches.values()) {
    args.collective = at(collectives, args.collective);
    launches.push_back(launches_.id_of(args));
  }
  const auto copies = static_cast<std::int32_t>(trace_.copies.size());
  trace_.copies.insert(trace_.copies.end(), chunk.copies.begin(), chunk.copies.end());
  const auto waits = static_cast<std::int32_t>(trace_.waits.size());
  trace_.waits.insert(trace_.waits.end(), chunk.waits.begin(), chunk.waits.end());

  for (job::Slice slice : chunk.slices) {
    slice.name = at(names, slice.name);
    slice.track = at(tracks, slice.track);
    if (slice.kind == job::SliceKind::op || slice.kind == job::SliceKind::annotation)
      slice.details = at(inputs, slice.details);
    else if (slice.kind == job::SliceKind::kernel)
      slice.details = at(launches, slice.details);
    else if (slice.details >= 0)
      slice.details += slice.kind == job::SliceKind::gpu_wait ? waits : copies;
    slices_.add(slice);
  }
  for (job::MemoryEvent event : chunk.memory) {
    event.track = at(tracks, event.track);
    trace_.memory.push_back(event);
  }
}

/// Figures cost work for each GPU and step, so a trace has no more of them than machines do: events
/// of those with a higher number are left out.
std::int64_t TraceBuilder::last_believed_gpu() const {
  std::set<std::int64_t> gpus;
  for (const job::TraceTrack& track : trace_.tracks)
    if (track.gpu) gpus.insert(track.process);
  for (const job::MemoryEvent& event : trace_.memory)
    if (event.gpu) gpus.insert(event.device);
  return gpus.size() <= kMaxGpus ? INT64_MAX : *std::next(gpus.begin(), kMaxGpus - 1);
}

void TraceBuilder::move_slices() {
  constexpr std::size_t kSample = std::size_t{64} * 1024; // the middle half of more is no other
  std::vector<Nanoseconds> starts = slices_.some_starts(kSample);
  if (starts.empty())
    for (const job::MemoryEvent& event : trace_.memory)
      starts.push_back(event.time);
  const Window window = window_of(std::move(starts));
  const std::int64_t last_gpu = last_believed_gpu();
  std::uint64_t far = 0;
  std::uint64_t beyond = 0;
  std::uint64_t too_long = 0;
  Nanoseconds left = kMostSliceTime;
  trace_.slices = slices_.take(
      [&](const job::Slice& slice) {
        const auto is_beyond = [&](const job::TraceTrack& track) {
          return track.gpu && track.process > last_gpu;
        };
        if (!window.holds(slice.start, slice.end())) return ++far, false;
        if (last_gpu != INT64_MAX &&
            is_beyond(trace_.tracks[static_cast<std::size_t>(slice.track)]))
          return ++beyond, false;
        if (slice.duration > left) return ++too_long, false;
        left -= slice.duration;
        return true;
      },
      track_ends_);
  if (too_long > 0)
    job::ReadingReport::count(report_.skipped, "event time overflows", path_, too_long);
  far += std::erase_if(trace_.memory, [&](const job::MemoryEvent& event) {
    return !window.holds(event.time, event.time);
  });
  beyond += std::erase_if(trace_.memory, [&](const job::MemoryEvent& event) {
    return event.gpu && event.device > last_gpu;
  });
  if (beyond > 0)
    job::ReadingReport::count(report_.skipped,
                              fmt::format("event of a GPU beyond {} per process", kMaxGpus), path_,
                              beyond);
  if (far > 0)
    job::ReadingReport::count(report_.skipped,
                              "event lies more than an hour and 20 trace lengths from the others",
                              path_, far);
}

/// Recorders write a thread's operators in order and then its runtime calls in order.
void TraceBuilder::sort_slices() {
  parallel_for(track_ends_.size(), [&](std::size_t track) {
    const auto at = [&](std::size_t place) {
      return trace_.slices.begin() + static_cast<std::ptrdiff_t>(place);
    };
    const auto first = at(track == 0 ? 0 : track_ends_[track - 1]);
    const auto last = at(track_ends_[track]);
    sort_runs(first, last, InNestingOrder{});
  });
  const auto by_time = [](const job::MemoryEvent& a, const job::MemoryEvent& b) {
    return a.time < b.time;
  };
  sort_runs(trace_.memory.begin(), trace_.memory.end(), by_time);
}

void TraceBuilder::drop_repeated() {
  std::vector<job::Slice>& slices = trace_.slices;
  const auto same = [](const job::Slice& a, const job::Slice& b) {
    return a.track == b.track && nesting_order(a) == nesting_order(b);
  };
  const auto last = std::unique(slices.begin(), slices.end(), same);
  if (last == slices.end()) return;
  job::ReadingReport::count(report_.repaired, "repeated event dropped", path_,
                            static_cast<std::uint64_t>(slices.end() - last));
  slices.erase(last, slices.end());
}

/// A base that leads out of time is none: the times then have an unknown origin.
void TraceBuilder::shift(Nanoseconds base) {
  const auto fits = [&](Nanoseconds time) { return !sum_overflows(time, base); };
  if (const auto span = trace_.span(); span && !(fits(span->first) && fits(span->second)))
    base = {};
  if (!trace_.memory.empty() &&
      !(fits(trace_.memory.front().time) && fits(trace_.memory.back().time)))
    base = {};
  for (job::Slice& slice : trace_.slices)
    slice.start += base;
  for (job::MemoryEvent& memory : trace_.memory)
    memory.time += base;
}

job::Trace TraceBuilder::finish(job::Trace header, Nanoseconds base) && {
  std::swap(header.names, trace_.names);
  header.copies = std::move(trace_.copies);
  header.waits = std::move(trace_.waits);
  header.memory = std::move(trace_.memory);
  trace_ = std::move(header);
  trace_.inputs = std::move(inputs_).take();
  trace_.launches = std::move(launches_).take();
  trace_.collectives = std::move(collectives_).take();
  for (const TrackKey& track : tracks_.values()) {
    const auto name = thread_names_.find({false, track.process, track.id});
    trace_.tracks.push_back({track.gpu, track.process, track.id,
                             name == thread_names_.end() ? std::string{} : name->second});
  }
  for (const auto& [key, count] : counts_.all())
    trace_.counts[key] += count;
  move_slices();
  sort_slices();
  drop_repeated();
  shift(base);
  if (const auto span = trace_.span())
    trace_.clock_known = is_plausible(to_microseconds(span->first));
  else if (!trace_.memory.empty())
    trace_.clock_known = is_plausible(to_microseconds(trace_.memory.front().time));
  return std::move(trace_);
}

} // namespace debrief::ingest::kineto
