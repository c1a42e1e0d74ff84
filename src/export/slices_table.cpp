#include "aggregate/trace/index.h"
#include "export/batch_builder.h"
#include "export/slice_words.h"
#include "export/tables.h"
#include "util/text.h"

#include <algorithm>
#include <span>

namespace debrief::exports {

namespace {

using arrow::field;

/// The names of a trace made safe to show, each once.
std::vector<std::string> shown_names(const job::Trace& trace) {
  std::vector<std::string> names(trace.names.size());
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = printable(trace.names[static_cast<job::StringTable::Id>(i)]);
  return names;
}

/// The number of the step in which the host did something; GPU work belongs to its launch's.
std::optional<std::int64_t> step_number(std::span<const aggregate::TraceStep> steps,
                                        Nanoseconds time) {
  const aggregate::TraceStep* step = aggregate::step_at(steps, time);
  return step == nullptr ? std::nullopt : step->number;
}

/// Appends the rows of one trace.
class SliceRows {
public:
  SliceRows(const aggregate::TraceIndex& index, BatchBuilder& batch)
      : index_(index)
      , trace_(index.trace)
      , batch_(batch)
      , names_(shown_names(index.trace)) {
    for (const job::TraceTrack& track : trace_.tracks)
      tracks_.push_back(printable(track_name(track)));
    process_ = printable(trace_.process);
    path_ = printable(trace_.path);
  }

  void append(std::size_t i) {
    const job::Slice& slice = trace_.slices[i];
    const job::TraceTrack& track = trace_.tracks[static_cast<std::size_t>(slice.track)];
    const std::int32_t launch = index_.launch[i];
    const auto launched = static_cast<std::size_t>(launch);
    text(0, process_);
    number(1, trace_.rank);
    text(2, tracks_[static_cast<std::size_t>(slice.track)]);
    text(3, kind_word(slice.kind));
    text(4, names_[static_cast<std::size_t>(slice.name)]);
    number(5, slice.start.count());
    number(6, slice.duration.count());
    auto& time = batch_.column<arrow::TimestampBuilder>(7);
    check(trace_.clock_known ? time.Append(slice.start.count()) : time.AppendNull());
    number(8, known(slice.correlation));
    const std::int32_t op = index_.op[i];
    text(9, op == aggregate::TraceIndex::kNone ? -1
                                               : trace_.slices[static_cast<std::size_t>(op)].name);
    number(10, track.gpu ? std::optional{track.process} : std::nullopt);
    number(11, track.gpu ? std::optional{track.id} : std::nullopt);
    number(12, step_number(index_.steps, launch == aggregate::TraceIndex::kNone
                                             ? slice.start
                                             : trace_.slices[launched].start));
    number(13, launch == aggregate::TraceIndex::kNone
                   ? std::nullopt
                   : std::optional{trace_.slices[launched].start.count()});
    text(14, dims_of(slice));
    number(15, bytes_of(slice));
    text(16, path_);
  }

private:
  static std::optional<std::int64_t> known(std::int64_t value) {
    return value < 0 ? std::nullopt : std::optional{value};
  }

  job::StringTable::Id dims_of(const job::Slice& slice) const {
    const bool has = slice.kind == job::SliceKind::op || slice.kind == job::SliceKind::annotation;
    return has && slice.details >= 0 ? trace_.inputs[static_cast<std::size_t>(slice.details)].dims
                                     : -1;
  }

  std::optional<std::int64_t> bytes_of(const job::Slice& slice) const {
    const bool has = slice.kind == job::SliceKind::memcpy || slice.kind == job::SliceKind::memset;
    return has && slice.details >= 0
               ? known(trace_.copies[static_cast<std::size_t>(slice.details)].bytes)
               : std::nullopt;
  }

  void text(int column, std::string_view value) {
    check(batch_.column<arrow::StringBuilder>(column).Append(value));
  }

  void text(int column, job::StringTable::Id name) {
    auto& builder = batch_.column<arrow::StringBuilder>(column);
    check(name < 0 ? builder.AppendNull() : builder.Append(names_[static_cast<std::size_t>(name)]));
  }

  void number(int column, std::optional<std::int64_t> value) {
    auto& builder = batch_.column<arrow::Int64Builder>(column);
    check(value ? builder.Append(*value) : builder.AppendNull());
  }

  const aggregate::TraceIndex& index_;
  const job::Trace& trace_;
  BatchBuilder& batch_;
  std::vector<std::string> names_;
  std::vector<std::string> tracks_;
  std::string process_;
  std::string path_;
};

} // namespace

std::shared_ptr<arrow::Schema> slices_schema() {
  return arrow::schema({
      field("process", arrow::utf8(), false),
      field("rank", arrow::int64()),
      field("track", arrow::utf8(), false),
      field("kind", arrow::utf8(), false),
      field("name", arrow::utf8(), false),
      field("start_ns", arrow::int64(), false),
      field("duration_ns", arrow::int64(), false),
      field("time", arrow::timestamp(arrow::TimeUnit::NANO, "UTC")),
      field("correlation", arrow::int64()),
      field("op", arrow::utf8()),
      field("device", arrow::int64()),
      field("stream", arrow::int64()),
      field("step", arrow::int64()),
      field("launch_ns", arrow::int64()),
      field("shapes", arrow::utf8()),
      field("bytes", arrow::int64()),
      field("trace", arrow::utf8(), false),
  });
}

void for_each_slices_batch(const job::Job& job, const BatchSink& sink) {
  BatchBuilder batch{slices_schema()};
  std::int64_t rows = 0;
  for (const job::Trace& trace : job.traces) {
    const aggregate::TraceIndex index{trace};
    SliceRows appender{index, batch};
    for (std::size_t i = 0; i < trace.slices.size(); ++i) {
      appender.append(i);
      if (++rows % BatchBuilder::kMaxRows == 0) sink(batch.flush());
    }
  }
  if (rows % BatchBuilder::kMaxRows != 0) sink(batch.flush());
}

} // namespace debrief::exports
