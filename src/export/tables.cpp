#include "export/tables.h"

#include "export/batch_builder.h"

#include <algorithm>
#include <optional>
#include <string>

namespace debrief::exports {

namespace {

using arrow::field;

std::shared_ptr<arrow::DataType> utc_time() {
  return arrow::timestamp(arrow::TimeUnit::MICRO, "UTC");
}

/// PandasFrame counts from the name of the first metrics file, which is the first sample's minute.
Microseconds origin_of(const job::Job& job) {
  std::optional<Microseconds> first;
  for (const job::MetricSeries& series : job.metrics)
    first = std::min(first.value_or(INT64_MAX), series.time_span().front());
  if (!first)
    for (std::size_t row = 0; row < job.events.size(); ++row)
      if (job.events.timeline_of(row).clock_known)
        first = std::min(first.value_or(INT64_MAX), job.events.start->raw_values()[row]);
  return first ? *first - *first % kMinute : 0;
}

void append_text(BatchBuilder& batch, int column, std::string_view text) {
  check(batch.column<arrow::StringBuilder>(column).Append(text));
}

void append_integer(BatchBuilder& batch, int column, std::int64_t value) {
  check(batch.column<arrow::Int64Builder>(column).Append(value));
}

void append_optional(BatchBuilder& batch, int column, const std::optional<std::int64_t>& value) {
  auto& builder = batch.column<arrow::Int64Builder>(column);
  check(value ? builder.Append(*value) : builder.AppendNull());
}

/// Absent text is null, not "".
void append_known_text(BatchBuilder& batch, int column, std::string_view text) {
  auto& builder = batch.column<arrow::StringBuilder>(column);
  check(text.empty() ? builder.AppendNull() : builder.Append(text));
}

void append_sample(BatchBuilder& batch, const job::MetricSeries& series, std::size_t i,
                   Microseconds origin) {
  const Microseconds time = series.time_span()[i];
  append_text(batch, 0, to_smdebug_text(time));
  append_integer(batch, 1, time - origin);
  check(batch.column<arrow::DoubleBuilder>(2).Append(series.value_span()[i]));
  append_known_text(batch, 3, series.recorded_as.name);
  append_text(batch, 4, series.recorded_as.dimension);
  append_text(batch, 5, series.node);
  append_text(batch, 6, series.recorded_as.type);
  check(batch.column<arrow::TimestampBuilder>(7).Append(time));
  append_known_text(batch, 8, job::to_string(series.unit));
}

std::string_view node_label(const job::Timeline& timeline) {
  return timeline.process.empty() ? timeline.node : timeline.process;
}

void append_event(BatchBuilder& batch, const job::EventTable& events, std::size_t row,
                  const job::EventDetails& details, Microseconds origin) {
  const job::Timeline& timeline = events.timeline_of(row);
  const job::Track& track =
      events.tracks[static_cast<std::size_t>(events.track->raw_values()[row])];
  const Microseconds start = events.start->raw_values()[row];
  const Microseconds end = start + events.duration->raw_values()[row];
  const auto when = [&](int text_column, int us_column, Microseconds time) {
    append_known_text(batch, text_column, timeline.clock_known ? to_smdebug_text(time) : "");
    append_integer(batch, us_column, timeline.clock_known ? time - origin : time);
  };
  when(0, 2, start);
  when(1, 3, end);
  append_optional(batch, 4, track.thread);
  append_optional(batch, 5, track.pid);
  append_text(batch, 6, events.name_of(row));
  const auto i = static_cast<std::int64_t>(row);
  append_optional(batch, 7,
                  events.step->IsNull(i) ? std::nullopt : std::optional{events.step->Value(i)});
  append_optional(batch, 8, details.bytes);
  append_known_text(batch, 9, events.phase_of(row));
  append_known_text(batch, 10, node_label(timeline));
  auto& absolute = batch.column<arrow::TimestampBuilder>(11);
  check(timeline.clock_known ? absolute.Append(start) : absolute.AppendNull());
  append_integer(batch, 12, end - start);
  append_text(batch, 13, job::to_string(timeline.kind));
  append_optional(batch, 14, details.worker_id);
  append_optional(batch, 15, details.num_workers);
  auto& pinned = batch.column<arrow::BooleanBuilder>(16);
  check(details.pin_memory ? pinned.Append(*details.pin_memory) : pinned.AppendNull());
}

} // namespace

std::shared_ptr<arrow::Schema> metrics_schema() {
  return arrow::schema({
      field("timestamp", arrow::utf8(), false),
      field("timestamp_us", arrow::int64(), false),
      field("value", arrow::float64(), false),
      field("system_metric", arrow::utf8()),
      field("dimension", arrow::utf8(), false),
      field("nodeID", arrow::utf8(), false),
      field("type", arrow::utf8(), false),
      field("time", utc_time(), false),
      field("unit", arrow::utf8()),
  });
}

std::shared_ptr<arrow::Schema> events_schema() {
  return arrow::schema({
      field("start_time", arrow::utf8()),
      field("end_time", arrow::utf8()),
      field("start_time_us", arrow::int64(), false),
      field("end_time_us", arrow::int64(), false),
      field("tid", arrow::int64()),
      field("pid", arrow::int64()),
      field("framework_metric", arrow::utf8(), false),
      field("step", arrow::int64()),
      field("bytes", arrow::int64()),
      field("process", arrow::utf8()),
      field("nodeID", arrow::utf8()),
      field("time", utc_time()),
      field("duration_us", arrow::int64(), false),
      field("recorder", arrow::utf8(), false),
      field("worker_id", arrow::int64()),
      field("num_workers", arrow::int64()),
      field("pin_memory", arrow::boolean()),
  });
}

void for_each_metrics_batch(const job::Job& job, const BatchSink& sink) {
  const Microseconds origin = origin_of(job);
  BatchBuilder batch{metrics_schema()};
  std::int64_t rows = 0;
  for (const job::MetricSeries& series : job.metrics) {
    for (std::size_t i = 0; i < series.size(); ++i) {
      append_sample(batch, series, i, origin);
      if (++rows % BatchBuilder::kMaxRows == 0) sink(batch.flush());
    }
  }
  if (rows % BatchBuilder::kMaxRows != 0) sink(batch.flush());
}

void for_each_events_batch(const job::Job& job, const BatchSink& sink) {
  const Microseconds origin = origin_of(job);
  BatchBuilder batch{events_schema()};
  auto details = job.events.details.begin();
  for (std::size_t row = 0; row < job.events.size(); ++row) {
    const bool has_details =
        details != job.events.details.end() && details->row == static_cast<std::int64_t>(row);
    append_event(batch, job.events, row, has_details ? *details++ : job::EventDetails{}, origin);
    const bool full = (row + 1) % BatchBuilder::kMaxRows == 0;
    if (full || row + 1 == job.events.size()) sink(batch.flush());
  }
}

} // namespace debrief::exports
