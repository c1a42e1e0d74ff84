#include "ingest/timeline_chunk.h"

#include <cmath>

namespace debrief::ingest {

namespace {

using chrome_trace::Key;
using chrome_trace::TokenCursor;
using chrome_trace::ValueReader;

bool read_argument(const Key& key, TimelineEvent& event, ValueReader& read) {
  switch (key.first()) {
  case 's':
    if (key.is("step_num")) return read.integer(event.step);
    if (key.is("start_time_since_epoch_in_micros")) return read.integer(event.epoch_start);
    return read.skip();
  case 't':
    if (key.is("tid") || key.is("thread_id")) return read.integer(event.args_tid);
    return read.skip();
  case 'p':
    if (key.is("pid")) return read.integer(event.args_pid);
    if (key.is("pin_memory")) return read.flag(event.details.pin_memory);
    return read.skip();
  case 'n':
    if (key.is("name")) return read.text(event.args_name);
    if (key.is("num_workers")) return read.integer(event.details.num_workers);
    return read.skip();
  case 'b':
    if (key.is("bytes_fetched")) return read.integer(event.details.bytes);
    if (key.is("batch_size")) return read.integer(event.details.batch_size);
    return read.skip();
  case 'w':
    if (key.is("worker_id")) return read.integer(event.details.worker_id);
    return read.skip();
  default:
    return read.skip();
  }
}

bool read_arguments(TokenCursor& cursor, TimelineEvent& event, ValueReader& read) {
  if (cursor.peek() != '{') return read.skip();
  return chrome_trace::read_members(
      cursor, [&](const Key& key) { return read_argument(key, event, read); });
}

bool read_field(const Key& key, TokenCursor& cursor, TimelineEvent& event, ValueReader& read) {
  switch (key.first()) {
  case 'n':
    if (key.is("name")) return read.text(event.name);
    return read.skip();
  case 'p':
    if (key.is("ph")) return read.text(event.ph);
    if (key.is("pid")) return read.integer(event.pid);
    return read.skip();
  case 't':
    if (key.is("ts")) return read.number(event.ts);
    if (key.is("tid")) return read.integer(event.tid);
    return read.skip();
  case 'd':
    if (key.is("dur")) return read.number(event.dur);
    return read.skip();
  case 'a':
    if (key.is("args")) return read_arguments(cursor, event, read);
    return read.skip();
  default:
    return read.skip();
  }
}

} // namespace

/// NaN and Infinity are no JSON: the event is lost.
bool TimelineChunk::parse(TokenCursor& cursor) {
  static constexpr TimelineEvent kEmpty{};
  event_ = kEmpty;
  unescaped_.clear();
  ValueReader read{cursor, unescaped_, event_.repaired};
  const bool good = chrome_trace::read_members(cursor, [&](const Key& key) {
    event_.empty = false;
    return read_field(key, cursor, event_, read);
  });
  return good && (event_.repaired & chrome_trace::kNotANumber) == 0;
}

void TimelineChunk::take(std::uint64_t offset) {
  if (event_.empty) return; // TensorFlow ends its array with {}
  ++records;
  if ((event_.repaired & chrome_trace::kBrokenEscape) != 0)
    repair("text with a broken escape kept as it is", offset);
  if (event_.ph.size() != 1) return;
  switch (event_.ph.front()) {
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
  last_phase_.reset();
  last_track_.reset();
  return true;
}

void TimelineChunk::take_metadata() {
  if (event_.name != "process_name") return;
  if (event_.epoch_start)
    bases.push_back(is_plausible(*event_.epoch_start) ? *event_.epoch_start : 0);
  if (event_.args_name.empty() || !event_.pid) return;
  const auto named = static_cast<std::int32_t>(phases.size());
  phases.push_back({std::nullopt, std::string{event_.args_name}});
  phase_of_pid_[event_.pid] = named;
  named_phases[*event_.pid] = named;
  last_phase_.reset();
}

void TimelineChunk::take_whole(std::uint64_t offset) {
  if (!event_.dur) return skip("event has no duration", offset);
  if (*event_.dur < 0) return skip("event has a negative duration", offset);
  auto found = build(offset);
  if (!found) return;
  found->event.duration = to_microseconds(*event_.dur);
  add(*found, event_.details);
}

void TimelineChunk::take_begin(std::uint64_t offset) {
  if (const auto found = build(offset))
    open[line()].push_back({*found, event_.details, *event_.ts});
}

void TimelineChunk::take_end(std::uint64_t offset) {
  const auto stack = open.find(line());
  if (stack == open.end() || stack->second.empty()) {
    ends.push_back({events.size(), line(), event_.ts, offset});
    return;
  }
  Begin begin = stack->second.back();
  stack->second.pop_back();
  if (!event_.ts) return skip("event has no time", offset);
  if (*event_.ts < begin.ts) return skip("event ends before it begins", offset);
  begin.found.event.duration = to_microseconds(*event_.ts - begin.ts);
  add(begin.found, begin.details);
}

/// All but the duration; nothing (and counted) where the event has no usable time.
std::optional<TimelineChunk::Found> TimelineChunk::build(std::uint64_t offset) {
  if (!event_.ts || !std::isfinite(*event_.ts) || std::abs(*event_.ts) > 9e15) {
    skip("event has no time", offset);
    return std::nullopt;
  }
  Found found;
  found.event.start = to_microseconds(*event_.ts);
  found.event.name = names.intern(event_.name);
  found.event.phase = phase();
  found.event.track = track();
  found.event.step = event_.step.value_or(job::kNoStep);
  found.base = static_cast<std::uint32_t>(bases.size());
  found.offset = offset;
  if (first_of_track.size() < tracks.size()) first_of_track.push_back(found);
  return found;
}

std::int32_t TimelineChunk::phase() {
  if (last_phase_ && last_phase_->first == event_.pid) return last_phase_->second;
  const auto [known, added] =
      phase_of_pid_.try_emplace(event_.pid, static_cast<std::int32_t>(phases.size()));
  if (added) phases.push_back({event_.pid, {}});
  last_phase_ = {event_.pid, known->second};
  return known->second;
}

std::int32_t TimelineChunk::track() {
  const Track wanted{event_.args_pid, event_.args_tid ? event_.args_tid : event_.tid};
  if (last_track_ && last_track_->first == wanted) return last_track_->second;
  const auto [known, added] =
      track_ids_.try_emplace(wanted, static_cast<std::int32_t>(tracks.size()));
  if (added) tracks.push_back(wanted);
  last_track_ = {wanted, known->second};
  return known->second;
}

TimelineChunk::Line TimelineChunk::line() const {
  return {event_.pid.value_or(-1), event_.tid.value_or(-1)};
}

void TimelineChunk::add(const Found& found, job::EventDetails of_event) {
  if (!of_event.empty()) {
    of_event.row = static_cast<std::int64_t>(events.size());
    details.push_back(of_event);
  }
  events.push_back(found);
}

} // namespace debrief::ingest
