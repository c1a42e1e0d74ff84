#include "job/events.h"

#include <utility>

namespace debrief::job {

namespace {

using Event = EventTableBuilder::Event;

} // namespace

std::string_view mode_of(std::string_view phase) {
  const std::size_t dot = phase.find('.');
  return dot == phase.npos ? phase : phase.substr(dot + 1);
}

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

const Timeline& EventTable::timeline_of(std::size_t row) const {
  const Track& its_track = tracks[static_cast<std::size_t>(track[row])];
  return timelines[static_cast<std::size_t>(its_track.timeline)];
}

std::string_view EventTable::name_of(std::size_t row) const {
  return names[name[row]];
}

std::string_view EventTable::phase_of(std::size_t row) const {
  return phases[phase[row]];
}

std::int32_t EventTableBuilder::timeline(const Timeline& timeline) {
  const auto [entry, added] =
      timeline_ids_.try_emplace(timeline, static_cast<std::int32_t>(timelines_.size()));
  if (added) timelines_.push_back(timeline);
  return entry->second;
}

std::int32_t EventTableBuilder::track(const Track& track) {
  const auto [entry, added] =
      track_ids_.try_emplace(track, static_cast<std::int32_t>(tracks_.size()));
  if (added) tracks_.push_back(track);
  return entry->second;
}

void EventTableBuilder::add(const Event& event) {
  if (chunks_.empty() || chunks_.back().room() == 0) chunks_.emplace_back();
  chunks_.back().add(event);
  ++size_;
}

void EventTableBuilder::add_details(EventDetails details) {
  details.row = static_cast<std::int64_t>(size_) - 1;
  details_.push_back(details);
}

const Timeline& EventTableBuilder::timeline_of(const Event& event) const {
  const Track& track = tracks_[static_cast<std::size_t>(event.track)];
  return timelines_[static_cast<std::size_t>(track.timeline)];
}

/// The few events of a small file go where there is room, so that a hundred thousand such files do
/// not take a chunk each.
void EventTableBuilder::append(Chunk&& chunk) {
  const std::span<const Event> events = std::as_const(chunk).values();
  size_ += events.size();
  if (!chunks_.empty() && events.size() <= chunks_.back().room() &&
      events.size() <= Chunk::kMax / 4)
    for (const Event& event : events)
      chunks_.back().add(event);
  else
    chunks_.push_back(std::move(chunk));
}

void EventTableBuilder::absorb(EventTableBuilder&& other) {
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

  const auto first_row = static_cast<std::int64_t>(size_);
  for (Chunk& chunk : other.chunks_) {
    for (Event& event : chunk.values()) {
      event.name = name_ids[static_cast<std::size_t>(event.name)];
      event.phase = phase_ids[static_cast<std::size_t>(event.phase)];
      event.track = new_tracks[static_cast<std::size_t>(event.track)];
    }
    append(std::move(chunk));
  }
  for (EventDetails details : other.details_) {
    details.row += first_row;
    details_.push_back(details);
  }
  other = EventTableBuilder{};
}

EventTable EventTableBuilder::finish() && {
  EventTable table;
  table.start.reserve(size_);
  table.duration.reserve(size_);
  table.name.reserve(size_);
  table.phase.reserve(size_);
  table.track.reserve(size_);
  table.step.reserve(size_);
  for (Chunk& chunk : chunks_) {
    const Chunk emptied = std::move(chunk); // the memory is needed for the columns
    for (const Event& event : emptied.values()) {
      table.start.push_back(event.start);
      table.duration.push_back(event.duration);
      table.name.push_back(event.name);
      table.phase.push_back(event.phase);
      table.track.push_back(event.track);
      table.step.push_back(event.step);
    }
  }
  table.details = std::move(details_);
  table.names = std::move(names);
  table.phases = std::move(phases);
  table.timelines = std::move(timelines_);
  table.tracks = std::move(tracks_);
  return table;
}

} // namespace debrief::job
