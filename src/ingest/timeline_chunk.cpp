#include "ingest/timeline_chunk.h"

#include "util/spare.h"

#include <cmath>

namespace debrief::ingest {

TimelineChunk::TimelineChunk(std::string_view path)
    : EventChunk(path)
    , events(take_spare<std::vector<Found>>()) {}

TimelineChunk::~TimelineChunk() {
  events.clear();
  spare<std::vector<Found>>() = std::move(events);
}

/// NaN and Infinity are no JSON: the event is lost.
bool TimelineChunk::parse(chrome_trace::TokenCursor& cursor) {
  static constexpr TimelineEvent kEmpty{};
  parsed_ = kEmpty;
  event_ = &parsed_;
  unescaped_.clear();
  chrome_trace::ValueReader read{cursor, unescaped_, parsed_.repaired};
  return read_event(cursor, parsed_, read) && (parsed_.repaired & chrome_trace::kNotANumber) == 0;
}

void TimelineChunk::take(std::uint64_t offset) {
  if (event_->empty) return; // TensorFlow ends its array with {}
  ++records;
  if ((event_->repaired & chrome_trace::kBrokenEscape) != 0)
    repair("text with a broken escape kept as it is", offset);
  if (event_->ph.size() != 1) return;
  switch (event_->ph.front()) {
  case 'M':
    return take_metadata();
  case 'X':
    return take_whole(offset);
  case 'B':
    return take_begin(offset);
  case 'E':
    return take_end(offset);
  default:
    return; // instants and counters are marks, not intervals: counted as read, not kept
  }
}

bool TimelineChunk::restart() {
  records = 0;
  skipped.clear();
  repaired.clear();
  names = job::StringTable{};
  events.clear();
  details.clear();
  ends.clear();
  open.clear();
  phases.clear();
  named_phases.clear();
  bases.clear();
  tracks.clear();
  first_of_track.clear();
  phase_of_pid_.clear();
  track_ids_.clear();
  following_.clear();
  last_name_ = 0;
  last_phase_ = -1;
  last_track_ = 0;
  return true;
}

void TimelineChunk::take_metadata() {
  if (event_->name != "process_name") return;
  if (event_->epoch_start)
    bases.push_back(is_plausible(*event_->epoch_start) ? *event_->epoch_start : 0);
  if (event_->args_name.empty() || !event_->pid) return;
  const auto named = static_cast<std::int32_t>(phases.size());
  phases.push_back({std::nullopt, std::string{event_->args_name}});
  phase_of_pid_[event_->pid] = named;
  named_phases[*event_->pid] = named;
  last_phase_ = -1;
}

void TimelineChunk::take_whole(std::uint64_t offset) {
  if (!event_->dur) return skip("event has no duration", offset);
  if (*event_->dur < 0) return skip("event has a negative duration", offset);
  Found& found = events.emplace_back();
  if (!build(found, offset)) return events.pop_back();
  found.event.duration = to_microseconds(*event_->dur);
  if (!event_->details.empty()) add_details(event_->details);
}

void TimelineChunk::take_begin(std::uint64_t offset) {
  if (Found found; build(found, offset))
    open[line()].push_back({found, event_->details, *event_->ts});
}

void TimelineChunk::take_end(std::uint64_t offset) {
  const auto stack = open.find(line());
  if (stack == open.end() || stack->second.empty()) {
    ends.push_back({events.size(), line(), event_->ts, offset});
    return;
  }
  Begin begin = stack->second.back();
  stack->second.pop_back();
  if (!event_->ts) return skip("event has no time", offset);
  if (*event_->ts < begin.ts) return skip("event ends before it begins", offset);
  begin.found.event.duration = to_microseconds(*event_->ts - begin.ts);
  events.push_back(begin.found);
  if (!begin.details.empty()) add_details(begin.details);
}

/// All but the duration; false (and counted) where the event has no usable time.
bool TimelineChunk::build(Found& found, std::uint64_t offset) {
  if (!event_->ts || !std::isfinite(*event_->ts) || std::abs(*event_->ts) > 9e15) {
    skip("event has no time", offset);
    return false;
  }
  found.event.start = to_microseconds(*event_->ts);
  found.event.name = name();
  found.event.phase = phase();
  found.event.track = track();
  found.event.step = event_->step.value_or(job::kNoStep);
  found.base = static_cast<std::uint32_t>(bases.size());
  found.offset = offset;
  if (first_of_track.size() < tracks.size()) first_of_track.push_back(found);
  return true;
}

/// Training repeats itself: a name is mostly followed by the one that followed it last time.
job::StringTable::Id TimelineChunk::name() {
  const auto last = static_cast<std::size_t>(last_name_);
  if (last < following_.size() && names[following_[last]] == event_->name)
    return last_name_ = following_[last];
  const job::StringTable::Id id = names.intern(event_->name);
  following_.resize(names.size());
  if (last < following_.size()) following_[last] = id;
  return last_name_ = id;
}

std::int32_t TimelineChunk::phase() {
  if (last_phase_ >= 0 && last_pid_ == event_->pid) return last_phase_;
  const auto [known, added] =
      phase_of_pid_.try_emplace(event_->pid, static_cast<std::int32_t>(phases.size()));
  if (added) phases.push_back({event_->pid, {}});
  last_pid_ = event_->pid;
  return last_phase_ = known->second;
}

std::int32_t TimelineChunk::track() {
  const std::optional<std::int64_t>& thread = event_->args_tid ? event_->args_tid : event_->tid;
  if (last_track_ < tracks.size() && tracks[last_track_].pid == event_->args_pid &&
      tracks[last_track_].thread == thread)
    return static_cast<std::int32_t>(last_track_);
  const Track wanted{event_->args_pid, thread};
  const auto [known, added] =
      track_ids_.try_emplace(wanted, static_cast<std::int32_t>(tracks.size()));
  if (added) tracks.push_back(wanted);
  last_track_ = static_cast<std::size_t>(known->second);
  return known->second;
}

TimelineChunk::Line TimelineChunk::line() const {
  return {event_->pid.value_or(-1), event_->tid.value_or(-1)};
}

/// Of the event that was kept last.
void TimelineChunk::add_details(const job::EventDetails& of_event) {
  details.push_back(of_event);
  details.back().row = static_cast<std::int64_t>(events.size()) - 1;
}

/// A file has a handful of shapes: of steps, of operators, of data loading. Where more come than
/// are kept, the one that was met first goes.
void TimelineChunk::remember(const chrome_trace::TokenCursor& start) {
  constexpr std::size_t kMaxShapes = 8;
  if (event_ != &parsed_ || !TimelineShape::suits(start, parsed_)) return;
  auto shape = std::make_unique<TimelineShape>(start, parsed_);
  if (shapes_.size() < kMaxShapes)
    shapes_.push_back(std::move(shape));
  else
    shapes_[remembered_ % kMaxShapes] = std::move(shape);
  ++remembered_;
}

const char* TimelineChunk::take_alike(const char* text, const char* end, std::uint64_t offset) {
  const char* const behind = read_alike(text, end);
  if (behind != nullptr) take(offset);
  return behind;
}

/// Most events are like the one before them.
const char* TimelineChunk::read_alike(const char* text, const char* end) {
  const auto use = [&](std::size_t shape, const char* behind) {
    if (behind == nullptr) return false;
    last_shape_ = shape;
    event_ = &shapes_[shape]->event();
    return true;
  };
  const auto repeats = [&](std::size_t shape) {
    return shapes_[shape]->read_repetition(text, end);
  };
  if (last_shape_ < shapes_.size())
    if (const char* const behind = repeats(last_shape_); use(last_shape_, behind)) return behind;
  for (std::size_t shape = 0; shape < shapes_.size(); ++shape)
    if (const char* const behind = repeats(shape); use(shape, behind)) return behind;
  for (std::size_t shape = 0; shape < shapes_.size(); ++shape)
    if (const char* const behind = shapes_[shape]->read(text, end); use(shape, behind))
      return behind;
  return nullptr;
}

} // namespace debrief::ingest
