#include "ingest/kineto/trace_chunk.h"

#include <algorithm>
#include <charconv>

namespace debrief::ingest::kineto {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 50U; // of one copy, or of a machine's memory

/// The number at the end of "stream 7".
std::optional<std::int64_t> trailing_number(std::string_view text) {
  const std::size_t last = text.find_last_not_of("0123456789");
  const std::string_view digits = last == text.npos ? text : text.substr(last + 1);
  std::int64_t number = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), number).ec != std::errc{})
    return std::nullopt;
  return number;
}

std::int64_t number_of(const chrome_trace::Id& id) {
  return id.number ? *id.number : trailing_number(id.text).value_or(-1);
}

bool is_gpu(job::SliceKind kind) {
  return job::is_gpu_work(kind) || kind == job::SliceKind::gpu_annotation ||
         kind == job::SliceKind::gpu_wait;
}

TrackKey track_of(const Event& event, bool gpu) {
  if (!gpu) return {false, number_of(event.pid), number_of(event.tid)};
  return {true, event.device.value_or(number_of(event.pid)),
          event.stream.value_or(number_of(event.tid))};
}

} // namespace

std::uint64_t* EventCounts::find(std::string_view phase, std::string_view category) {
  const std::size_t size = category.empty() ? phase.size() : phase.size() + 1 + category.size();
  for (auto& [key, count] : counts_) {
    const std::string_view text = key;
    if (text.size() == size && text.ends_with(category) && text.starts_with(phase) &&
        (category.empty() || text[phase.size()] == ' '))
      return &count;
  }
  return nullptr;
}

void EventCounts::add(std::string_view phase, std::string_view category) {
  if (std::uint64_t* count = find(phase, category)) {
    ++*count;
    return;
  }
  std::string key;
  if (counts_.size() < kMaxCategories) { // else it would be made for nothing
    key = phase;
    if (!category.empty()) key.append(" ").append(category);
  }
  add_new(std::move(key), 1);
}

void EventCounts::add_new(std::string key, std::uint64_t count) {
  constexpr const char* kOther = "other";
  if (counts_.size() < kMaxCategories)
    counts_.emplace_back(std::move(key), count);
  else if (counts_.size() == kMaxCategories)
    counts_.emplace_back(kOther, count);
  else
    counts_.back().second += count;
}

void EventCounts::absorb(const EventCounts& other) {
  for (const auto& [key, count] : other.counts_)
    if (std::uint64_t* known = find(key, {}))
      *known += count;
    else
      add_new(key, count);
}

void TraceChunk::take(std::uint64_t offset) {
  const Event& event = event_;
  if (event.empty) return;
  ++records;
  counts.add(event.ph, event.cat);
  if ((event.repaired & chrome_trace::kNotANumber) != 0)
    repair("NaN or Infinity taken as absent", offset);
  if ((event.repaired & chrome_trace::kBrokenEscape) != 0)
    repair("text with a broken escape kept as it is", offset);
  if (event.ph == "X") {
    const auto kind =
        event.cat.empty() ? kind_without_category(event) : kind_of(event.cat, event.name);
    if (kind)
      take_slice(*kind, offset);
    else if (!is_left_out(event))
      skip("event of a kind that is not known", offset);
  } else if (event.ph == "i" && event.name == "[memory]") {
    take_memory(offset);
  } else if (event.ph == "M" && event.name == "thread_name") {
    take_name();
  }
}

/// Of an event whose numbers cannot have been measured only these are lost.
void TraceChunk::lose_impossible(std::uint64_t offset) {
  constexpr float kMostPercent = 100;
  constexpr float kMostPerMultiprocessor = 1e6F; // blocks or warps
  constexpr double kMostBandwidth = 1e6;         // GB/s
  bool lost = false;
  const auto lose_above = [&](auto most, auto& value) {
    if (!(value > most)) return;
    value = -1; // not recorded
    lost = true;
  };
  lose_above(kMostPercent, event_.launch.occupancy);
  lose_above(kMostPerMultiprocessor, event_.launch.blocks_per_sm);
  lose_above(kMostPerMultiprocessor, event_.launch.warps_per_sm);
  lose_above(kMostBandwidth, event_.copy.bandwidth);
  lose_above(kMostBytes, event_.copy.bytes);
  if (lost) skip("value of an event that is not a measurement", offset);
}

void TraceChunk::take_slice(job::SliceKind kind, std::uint64_t offset) {
  const Event& event = event_;
  if (!event.ts) return skip("event has no time", offset);
  if (!event.dur) return skip("event has no duration", offset);
  if (*event.dur < Nanoseconds{}) return skip("event has a negative duration", offset);
  if (sum_overflows(*event.ts, *event.dur)) return skip("event time overflows", offset);
  lose_impossible(offset);
  job::Slice slice;
  slice.start = *event.ts;
  slice.duration = *event.dur;
  slice.correlation = event.correlation;
  slice.external = event.external;
  slice.name = names.intern(event.name);
  slice.track = tracks.id_of(track_of(event, is_gpu(kind)));
  slice.details = details_of(kind);
  slice.kind = kind;
  slices.push_back(slice);
}

void TraceChunk::take_memory(std::uint64_t offset) {
  const Event& event = event_;
  if (!event.ts) return skip("event has no time", offset);
  if (!event.memory_bytes || !event.device_type)
    return skip("memory event without its size or device", offset);
  if (std::max({*event.memory_bytes, event.total_allocated.value_or(0),
                event.total_reserved.value_or(0)}) > kMostBytes ||
      *event.memory_bytes < -kMostBytes)
    return skip("memory event that is not a measurement", offset);
  job::MemoryEvent event_kept;
  event_kept.time = *event.ts;
  event_kept.bytes = *event.memory_bytes;
  event_kept.address = event.address;
  event_kept.allocated = event.total_allocated.value_or(0);
  event_kept.reserved = event.total_reserved.value_or(0);
  event_kept.track = tracks.id_of(track_of(event, false));
  event_kept.device = static_cast<std::int16_t>(
      std::clamp<std::int64_t>(event.device_id.value_or(-1), -1, INT16_MAX));
  event_kept.gpu = *event.device_type != 0;
  memory.push_back(event_kept);
}

void TraceChunk::take_name() {
  const Event& event = event_;
  if (event.pid.number && event.tid.number)
    thread_names.emplace_back(TrackKey{false, *event.pid.number, *event.tid.number},
                              std::string{event.args_name});
}

job::StringTable::Id TraceChunk::id_of(std::string_view text) {
  return text.empty() ? -1 : names.intern(text);
}

/// Writers that indent put each element on a line of its own; without them the same shapes are the
/// same text.
job::StringTable::Id TraceChunk::id_of_array(std::string_view text) {
  if (text.find('\n') == text.npos) return id_of(text);
  std::string one_line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '\n' && text[at] != '\r') {
      one_line += text[at];
      continue;
    }
    while (at + 1 < text.size() && chrome_trace::is_json_space(text[at + 1]))
      ++at;
    if (one_line.ends_with(',')) one_line += ' ';
  }
  return id_of(one_line);
}

std::int32_t TraceChunk::collective() {
  const Event& event = event_;
  if (event.collective.empty()) return -1;
  const job::StringTable::Id name = id_of(event.collective);
  const job::StringTable::Id dtype = id_of(event.dtype);
  const job::StringTable::Id group = id_of(event.group);
  return collectives.id_of(
      {name, dtype, group, event.in_elements, event.out_elements, event.group_size});
}

std::int32_t TraceChunk::details_of(job::SliceKind kind) {
  const Event& event = event_;
  if (kind == job::SliceKind::op || kind == job::SliceKind::annotation) {
    const bool differentiable = event.sequence >= 0 && event.forward_thread == 0;
    if (event.dims.empty() && event.types.empty() && event.collective.empty() && event.flops < 0 &&
        !differentiable)
      return -1;
    const job::StringTable::Id dims = id_of_array(event.dims);
    const job::StringTable::Id types = id_of_array(event.types);
    const job::StringTable::Id concrete =
        keeps_concrete_inputs(event.name) ? id_of_array(event.concrete) : -1;
    return inputs.id_of({dims, types, concrete, collective(), event.flops, differentiable});
  }
  if (kind == job::SliceKind::kernel) {
    job::LaunchArgs launch = event.launch;
    launch.collective = collective();
    return launch == job::LaunchArgs{} ? -1 : launches.id_of(launch);
  }
  if (kind == job::SliceKind::memcpy || kind == job::SliceKind::memset) {
    copies.push_back(event.copy);
    return static_cast<std::int32_t>(copies.size() - 1);
  }
  if (kind == job::SliceKind::gpu_wait && event.wait.record_correlation >= 0) {
    waits.push_back(event.wait);
    return static_cast<std::int32_t>(waits.size() - 1);
  }
  return -1;
}

} // namespace debrief::ingest::kineto
