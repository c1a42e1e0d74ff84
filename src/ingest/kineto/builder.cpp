#include "ingest/kineto/builder.h"

#include "ingest/reader.h"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace debrief::kineto {

namespace {

/// Adds `value` where it is new; its place.
template <typename Value>
std::int32_t place_of(const Value& value, std::vector<Value>& values,
                      std::map<Value, std::int32_t>& places) {
  const auto [found, added] = places.try_emplace(value, static_cast<std::int32_t>(values.size()));
  if (added) values.push_back(value);
  return found->second;
}

/// The number at the end of "stream 7".
std::optional<std::int64_t> trailing_number(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::string_view digits = last == text.npos ? text : text.substr(last + 1);
  std::int64_t number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{})
    return std::nullopt;
  return number;
}

std::int64_t number_of(const Id& id) {
  return id.number ? *id.number : trailing_number(id.text).value_or(-1);
}

bool is_gpu(SliceKind kind) {
  return is_gpu_work(kind) || kind == SliceKind::gpu_annotation || kind == SliceKind::gpu_wait;
}

auto nesting_order(const Slice& slice) {
  return std::tuple{slice.track, slice.start,    -slice.duration,
                    slice.kind,  slice.external, slice.correlation};
}

} // namespace

std::optional<SliceKind> kind_of(std::string_view category, std::string_view name) {
  if (category == "cpu_op" || category == "Operator") return SliceKind::op;
  if (category == "python_function")
    return name.starts_with("nn.Module: ") ? std::optional{SliceKind::module} : std::nullopt;
  if (category.ends_with("_runtime") || category.ends_with("_driver") || category == "Runtime")
    return SliceKind::runtime;
  if (category == "kernel" || category == "Kernel" || category == "concurrent_kernel")
    return SliceKind::kernel;
  if (category == "gpu_memcpy" || category == "Memcpy") return SliceKind::memcpy;
  if (category == "gpu_memset" || category == "Memset") return SliceKind::memset;
  if (category == "user_annotation") return SliceKind::annotation;
  if (category == "gpu_user_annotation") return SliceKind::gpu_annotation;
  if (category == "cuda_sync") return SliceKind::gpu_wait;
  if (category == "overhead") return SliceKind::overhead;
  return std::nullopt;
}

TraceBuilder::TraceBuilder(std::string_view path, ReadingReport& report)
    : path_(path)
    , report_(report) {}

void TraceBuilder::take(const Event& event, std::uint64_t offset) {
  if (event.empty) return;
  count(event);
  if (event.ph == "X") {
    if (const auto kind = kind_of(event.cat, event.name)) take_slice(event, *kind, offset);
  } else if (event.ph == "i" && event.name == "[memory]") {
    take_memory(event, offset);
  } else if (event.ph == "M" && event.name == "thread_name") {
    take_name(event);
  }
}

void TraceBuilder::take_slice(const Event& event, SliceKind kind, std::uint64_t offset) {
  if (!event.ts) return skip("event has no time", offset);
  if (!event.dur) return skip("event has no duration", offset);
  if (*event.dur < 0) return skip("event has a negative duration", offset);
  Slice slice;
  slice.start = *event.ts;
  slice.duration = *event.dur;
  slice.correlation = event.correlation;
  slice.external = event.external;
  slice.name = trace_.names.intern(event.name);
  slice.track = track_of(event, is_gpu(kind));
  slice.details = details_of(event, kind);
  slice.kind = kind;
  trace_.slices.push_back(slice);
}

void TraceBuilder::take_memory(const Event& event, std::uint64_t offset) {
  if (!event.ts) return skip("event has no time", offset);
  if (!event.memory_bytes || !event.device_type)
    return skip("memory event without its size or device", offset);
  MemoryEvent memory;
  memory.time = *event.ts;
  memory.bytes = *event.memory_bytes;
  memory.address = event.address;
  memory.allocated = event.total_allocated.value_or(0);
  memory.reserved = event.total_reserved.value_or(0);
  memory.track = track_of(event, false);
  memory.device = static_cast<std::int16_t>(
      std::clamp<std::int64_t>(event.device_id.value_or(-1), -1, INT16_MAX));
  memory.gpu = *event.device_type != 0;
  trace_.memory.push_back(memory);
}

void TraceBuilder::take_name(const Event& event) {
  if (event.pid.number && event.tid.number)
    thread_names_[{*event.pid.number, *event.tid.number}] = std::string{event.args_name};
}

std::int32_t TraceBuilder::track_of(const Event& event, bool gpu) {
  const std::pair<bool, TrackKey> key =
      gpu ? std::pair{true, TrackKey{event.device.value_or(number_of(event.pid)),
                                     event.stream.value_or(number_of(event.tid))}}
          : std::pair{false, TrackKey{number_of(event.pid), number_of(event.tid)}};
  if (last_track_ >= 0 && key == last_key_) return last_track_;
  const auto [found, added] =
      tracks_.try_emplace(key, static_cast<std::int32_t>(trace_.tracks.size()));
  if (added) trace_.tracks.push_back({gpu, key.second.first, key.second.second, {}});
  last_key_ = key;
  last_track_ = found->second;
  return last_track_;
}

std::int32_t TraceBuilder::collective_of(const Event& event) {
  if (event.collective.empty()) return -1;
  const auto id = [&](std::string_view text) {
    return text.empty() ? -1 : trace_.names.intern(text);
  };
  return place_of(CollectiveArgs{id(event.collective), id(event.dtype), id(event.group),
                                 event.in_elements, event.out_elements, event.group_size},
                  trace_.collectives, collectives_);
}

std::int32_t TraceBuilder::details_of(const Event& event, SliceKind kind) {
  const auto id = [&](std::string_view text) {
    return text.empty() ? -1 : trace_.names.intern(text);
  };
  if (kind == SliceKind::op || kind == SliceKind::annotation) {
    if (event.dims.empty() && event.types.empty() && event.collective.empty() && event.flops < 0)
      return -1;
    return place_of(InputArgs{id(event.dims), id(event.types), collective_of(event), event.flops},
                    trace_.inputs, inputs_);
  }
  if (kind == SliceKind::kernel) {
    LaunchArgs launch = event.launch;
    launch.collective = collective_of(event);
    return launch == LaunchArgs{} ? -1 : place_of(launch, trace_.launches, launches_);
  }
  if (kind == SliceKind::memcpy || kind == SliceKind::memset) {
    trace_.copies.push_back(event.copy);
    return static_cast<std::int32_t>(trace_.copies.size() - 1);
  }
  return -1;
}

void TraceBuilder::count(const Event& event) {
  const auto is_it = [&](const auto& entry) {
    const std::string_view key = entry.first;
    return event.cat.empty() ? key == event.ph
                             : key.size() == event.ph.size() + 1 + event.cat.size() &&
                                   key.starts_with(event.ph) && key.ends_with(event.cat);
  };
  auto found = std::find_if(counts_.begin(), counts_.end(), is_it);
  if (found == counts_.end()) {
    constexpr std::size_t kMostCategories = 64; // recorders have some twenty
    if (counts_.size() >= kMostCategories) return;
    std::string key{event.ph};
    if (!event.cat.empty()) key.append(" ").append(event.cat);
    found = counts_.insert(counts_.end(), {std::move(key), 0});
  }
  ++found->second;
}

void TraceBuilder::skip(const char* reason, std::uint64_t offset) {
  ReadingReport::count(report_.skipped, reason, at_byte(path_, offset));
}

void TraceBuilder::drop_repeated() {
  std::vector<Slice>& slices = trace_.slices;
  const auto same = [](const Slice& a, const Slice& b) {
    return nesting_order(a) == nesting_order(b) && a.name == b.name;
  };
  const auto last = std::unique(slices.begin(), slices.end(), same);
  if (last == slices.end()) return;
  ReadingReport::count(report_.mended, "repeated event dropped", path_,
                       static_cast<std::uint64_t>(slices.end() - last));
  slices.erase(last, slices.end());
}

void TraceBuilder::shift(Nanoseconds base) {
  for (Slice& slice : trace_.slices)
    slice.start += base;
  for (MemoryEvent& memory : trace_.memory)
    memory.time += base;
}

Trace TraceBuilder::finish(Trace header, Nanoseconds base) && {
  std::swap(header.names, trace_.names);
  header.tracks = std::move(trace_.tracks);
  header.slices = std::move(trace_.slices);
  header.inputs = std::move(trace_.inputs);
  header.launches = std::move(trace_.launches);
  header.copies = std::move(trace_.copies);
  header.collectives = std::move(trace_.collectives);
  header.memory = std::move(trace_.memory);
  trace_ = std::move(header);
  for (TraceTrack& track : trace_.tracks)
    if (const auto name = thread_names_.find({track.process, track.id});
        name != thread_names_.end())
      track.name = name->second;
  for (auto& [key, count] : counts_)
    trace_.counts.emplace(key, count);
  const auto by_nesting = [](const Slice& a, const Slice& b) {
    return nesting_order(a) < nesting_order(b);
  };
  if (!std::is_sorted(trace_.slices.begin(), trace_.slices.end(), by_nesting))
    std::sort(trace_.slices.begin(), trace_.slices.end(), by_nesting);
  const auto by_time = [](const MemoryEvent& a, const MemoryEvent& b) { return a.time < b.time; };
  std::stable_sort(trace_.memory.begin(), trace_.memory.end(), by_time);
  drop_repeated();
  shift(base);
  if (const auto span = trace_.span()) trace_.clock_known = is_plausible(span->first / 1000);
  return std::move(trace_);
}

} // namespace debrief::kineto
