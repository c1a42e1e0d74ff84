#include "job/events.h"

#include <arrow/array/array_primitive.h>
#include <arrow/buffer.h>
#include <arrow/util/bit_util.h>

#include <utility>

namespace debrief::job {

namespace {

using Event = EventTableBuilder::Event;

/// One member of all events, as an Arrow array in the end.
template <typename Array, typename Value>
class Column {
public:
  explicit Column(std::size_t size = 0) { values_.reserve(size); }

  void add(Value value) { values_.push_back(value); }

  std::shared_ptr<Array> finish() {
    const auto length = static_cast<std::int64_t>(values_.size());
    return std::make_shared<Array>(length, arrow::Buffer::FromVector(std::move(values_)));
  }

private:
  std::vector<Value> values_;
};

using Numbers = Column<arrow::Int64Array, std::int64_t>;
using Ids = Column<arrow::Int32Array, std::int32_t>;

/// The step numbers, null where an event has none.
class StepColumn {
public:
  explicit StepColumn(std::size_t size)
      : valid_(static_cast<std::size_t>(
            arrow::bit_util::BytesForBits(static_cast<std::int64_t>(size)))) {
    values_.reserve(size);
  }

  void add(std::int64_t step) {
    const bool present = step != EventTableBuilder::kNoStep;
    if (present) arrow::bit_util::SetBit(valid_.data(), static_cast<std::int64_t>(values_.size()));
    values_.push_back(present ? step : 0);
    nulls_ += present ? 0 : 1;
  }

  std::shared_ptr<arrow::Int64Array> finish() {
    const auto length = static_cast<std::int64_t>(values_.size());
    return std::make_shared<arrow::Int64Array>(
        length, arrow::Buffer::FromVector(std::move(values_)),
        arrow::Buffer::FromVector(std::move(valid_)), nulls_);
  }

private:
  std::vector<std::int64_t> values_;
  std::vector<std::uint8_t> valid_;
  std::int64_t nulls_ = 0;
};

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
    : start(Numbers{}.finish())
    , duration(start)
    , name(Ids{}.finish())
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
  Numbers starts{size_};
  Numbers durations{size_};
  Ids name_ids{size_};
  Ids phase_ids{size_};
  Ids track_ids{size_};
  StepColumn steps{size_};
  for (Chunk& chunk : chunks_) {
    const Chunk emptied = std::move(chunk); // the memory is needed for the columns
    for (const Event& event : emptied.values()) {
      starts.add(event.start);
      durations.add(event.duration);
      name_ids.add(event.name);
      phase_ids.add(event.phase);
      track_ids.add(event.track);
      steps.add(event.step);
    }
  }
  EventTable table;
  table.start = starts.finish();
  table.duration = durations.finish();
  table.name = name_ids.finish();
  table.phase = phase_ids.finish();
  table.track = track_ids.finish();
  table.step = steps.finish();
  table.details = std::move(details_);
  table.names = std::move(names);
  table.phases = std::move(phases);
  table.timelines = std::move(timelines_);
  table.tracks = std::move(tracks_);
  return table;
}

} // namespace debrief::job
