#include "job/events.h"

#include <arrow/array/array_primitive.h>
#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <utility>

namespace debrief {

namespace {

using Event = EventColumns::Event;

/// One member of all events as an Arrow array.
template <typename Array, typename Value>
std::shared_ptr<Array> column(const std::vector<Event>& events, Value Event::*member) {
  std::vector<Value> values;
  values.reserve(events.size());
  for (const Event& event : events)
    values.push_back(event.*member);
  return std::make_shared<Array>(static_cast<std::int64_t>(events.size()),
                                 arrow::Buffer::FromVector(std::move(values)));
}

/// The step numbers, null where an event has none.
std::shared_ptr<arrow::Int64Array> step_column(const std::vector<Event>& events) {
  const auto length = static_cast<std::int64_t>(events.size());
  std::vector<std::uint8_t> valid(static_cast<std::size_t>(arrow::bit_util::BytesForBits(length)));
  std::vector<std::int64_t> values(events.size());
  std::int64_t nulls = 0;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const bool present = events[row].step != EventColumns::kNoStep;
    if (present) arrow::bit_util::SetBit(valid.data(), static_cast<std::int64_t>(row));
    values[row] = present ? events[row].step : 0;
    nulls += present ? 0 : 1;
  }
  return std::make_shared<arrow::Int64Array>(length, arrow::Buffer::FromVector(std::move(values)),
                                             arrow::Buffer::FromVector(std::move(valid)), nulls);
}

} // namespace

std::string_view to_string(TimelineKind kind) {
  switch (kind) {
  case TimelineKind::python:
    return "python";
  case TimelineKind::model:
    return "model";
  case TimelineKind::horovod:
    return "horovod";
  case TimelineKind::smdataparallel:
    return "smdataparallel";
  case TimelineKind::tensorflow_profiler:
    return "tensorflow profiler";
  case TimelineKind::pytorch_profiler:
    return "pytorch_profiler";
  case TimelineKind::other:
    break;
  }
  return "other";
}

EventTable::EventTable()
    : start(column<arrow::Int64Array>({}, &Event::start))
    , duration(start)
    , name(column<arrow::Int32Array>({}, &Event::name))
    , phase(name)
    , track(name)
    , step(start) {}

std::size_t EventTable::size() const {
  return static_cast<std::size_t>(start->length());
}

const Timeline& EventTable::timeline_of(std::size_t row) const {
  const Track& its_track = tracks[static_cast<std::size_t>(track->raw_values()[row])];
  return timelines[static_cast<std::size_t>(its_track.timeline)];
}

std::string_view EventTable::name_of(std::size_t row) const {
  return names[name->raw_values()[row]];
}

std::string_view EventTable::phase_of(std::size_t row) const {
  return phases[phase->raw_values()[row]];
}

std::int32_t EventColumns::timeline(const Timeline& timeline) {
  const auto [entry, added] =
      timeline_ids_.try_emplace(timeline, static_cast<std::int32_t>(timelines_.size()));
  if (added) timelines_.push_back(timeline);
  return entry->second;
}

std::int32_t EventColumns::track(const Track& track) {
  const auto [entry, added] =
      track_ids_.try_emplace(track, static_cast<std::int32_t>(tracks_.size()));
  if (added) tracks_.push_back(track);
  return entry->second;
}

void EventColumns::add(const Event& event) {
  events_.push_back(event);
}

void EventColumns::add_details(EventDetails details) {
  details.row = static_cast<std::int64_t>(events_.size()) - 1;
  details_.push_back(details);
}

const Timeline& EventColumns::timeline_of(const Event& event) const {
  const Track& track = tracks_[static_cast<std::size_t>(event.track)];
  return timelines_[static_cast<std::size_t>(track.timeline)];
}

void EventColumns::absorb(EventColumns&& other) {
  std::vector<StringTable::Id> name_ids(other.names.size());
  for (std::size_t id = 0; id < name_ids.size(); ++id)
    name_ids[id] = names.intern(other.names[static_cast<StringTable::Id>(id)]);
  std::vector<StringTable::Id> phase_ids(other.phases.size());
  for (std::size_t id = 0; id < phase_ids.size(); ++id)
    phase_ids[id] = phases.intern(other.phases[static_cast<StringTable::Id>(id)]);
  std::vector<std::int32_t> new_tracks;
  for (Track its_track : other.tracks_) {
    its_track.timeline = timeline(other.timelines_[static_cast<std::size_t>(its_track.timeline)]);
    new_tracks.push_back(track(its_track));
  }

  const auto first_row = static_cast<std::int64_t>(events_.size());
  for (Event event : other.events_) {
    event.name = name_ids[static_cast<std::size_t>(event.name)];
    event.phase = phase_ids[static_cast<std::size_t>(event.phase)];
    event.track = new_tracks[static_cast<std::size_t>(event.track)];
    events_.push_back(event);
  }
  for (EventDetails details : other.details_) {
    details.row += first_row;
    details_.push_back(details);
  }
  other = EventColumns{};
}

EventTable EventColumns::finish() && {
  EventTable table;
  table.start = column<arrow::Int64Array>(events_, &Event::start);
  table.duration = column<arrow::Int64Array>(events_, &Event::duration);
  table.name = column<arrow::Int32Array>(events_, &Event::name);
  table.phase = column<arrow::Int32Array>(events_, &Event::phase);
  table.track = column<arrow::Int32Array>(events_, &Event::track);
  table.step = step_column(events_);
  table.details = std::move(details_);
  table.names = std::move(names);
  table.phases = std::move(phases);
  table.timelines = std::move(timelines_);
  table.tracks = std::move(tracks_);
  return table;
}

} // namespace debrief
