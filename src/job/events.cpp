#include "job/events.h"

#include "util/memory.h"
#include "util/parallel.h"

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

void EventTableBuilder::add_details(EventDetails details) {
  details.row = static_cast<std::int64_t>(size_) - 1;
  details_.push_back(details);
}

const Timeline& EventTableBuilder::timeline_of(const Event& event) const {
  const Track& track = tracks_[static_cast<std::size_t>(event.track)];
  return timelines_[static_cast<std::size_t>(track.timeline)];
}

std::vector<bool> EventTableBuilder::clocks_known() const {
  std::vector<bool> known;
  for (const Track& track : tracks_)
    known.push_back(timelines_[static_cast<std::size_t>(track.timeline)].clock_known);
  return known;
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

EventTableBuilder::Translation EventTableBuilder::translation_of(const EventTableBuilder& other) {
  Translation to;
  for (std::size_t id = 0; id < other.names.size(); ++id)
    to.names.push_back(names.intern(other.names[static_cast<StringTable::Id>(id)]));
  for (std::size_t id = 0; id < other.phases.size(); ++id)
    to.phases.push_back(phases.intern(other.phases[static_cast<StringTable::Id>(id)]));
  for (Track its_track : other.tracks_) {
    its_track.timeline = timeline(other.timelines_[static_cast<std::size_t>(its_track.timeline)]);
    to.tracks.push_back(track(its_track));
  }
  return to;
}

void EventTableBuilder::translate(const Translation& to) {
  for (Chunk& chunk : chunks_)
    for (Event& event : chunk.values()) {
      event.name = to.names[static_cast<std::size_t>(event.name)];
      event.phase = to.phases[static_cast<std::size_t>(event.phase)];
      event.track = to.tracks[static_cast<std::size_t>(event.track)];
    }
}

void EventTableBuilder::absorb(std::span<EventTableBuilder> others) {
  std::vector<Translation> translations;
  for (const EventTableBuilder& other : others)
    translations.push_back(translation_of(other));
  parallel_for(others.size(), [&](std::size_t i) { others[i].translate(translations[i]); });
  for (EventTableBuilder& other : others) {
    const auto first_row = static_cast<std::int64_t>(size_);
    for (Chunk& chunk : other.chunks_)
      append(std::move(chunk));
    for (EventDetails details : other.details_) {
      details.row += first_row;
      details_.push_back(details);
    }
    other = EventTableBuilder{};
  }
}

/// Each chunk's memory goes back as soon as it is in the columns.
EventTable EventTableBuilder::finish() && {
  EventTable table;
  const auto make = [&](auto& column) {
    column.reserve(size_);
    use_large_pages(column.data(), size_ * sizeof(column[0]));
    column.resize(size_);
  };
  make(table.start);
  make(table.duration);
  make(table.name);
  make(table.phase);
  make(table.track);
  make(table.step);
  std::vector<std::size_t> rows; // of each chunk's first event
  for (std::size_t row = 0; const Chunk& chunk : chunks_)
    rows.push_back(std::exchange(row, row + chunk.values().size()));
  parallel_for(chunks_.size(), [&](std::size_t i) {
    const Chunk emptied = std::move(chunks_[i]);
    const std::span<const Event> events = emptied.values();
    const auto fill = [&](auto& column, auto Event::*member) {
      auto* value = column.data() + rows[i];
      get_pages(value, events.size() * sizeof *value);
      for (const Event& event : events)
        *value++ = event.*member;
    };
    fill(table.start, &Event::start);
    fill(table.duration, &Event::duration);
    fill(table.name, &Event::name);
    fill(table.phase, &Event::phase);
    fill(table.track, &Event::track);
    fill(table.step, &Event::step);
  });
  table.details = std::move(details_);
  table.names = std::move(names);
  table.phases = std::move(phases);
  table.timelines = std::move(timelines_);
  table.tracks = std::move(tracks_);
  return table;
}

} // namespace debrief::job
