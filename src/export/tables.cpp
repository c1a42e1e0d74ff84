#include "export/tables.h"

#include "export/batch_builder.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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
        first = std::min(first.value_or(INT64_MAX), job.events.start[row]);
  return first ? *first - *first % kMinute : 0;
}

using ArrayPtr = std::shared_ptr<arrow::Array>;

/// The job's own memory as an Arrow array, which must not outlive the job.
template <typename Value>
ArrayPtr view_of(const std::shared_ptr<arrow::DataType>& type, std::span<const Value> values,
                 std::shared_ptr<arrow::Buffer> valid = nullptr) {
  return arrow::MakeArray(arrow::ArrayData::Make(
      type, static_cast<std::int64_t>(values.size()),
      {std::move(valid), arrow::Buffer::Wrap(values.data(), values.size())}));
}

/// An array with a value for each of `rows` rows; `append(builder, row)` adds it.
template <typename Builder, typename Append>
ArrayPtr build(std::size_t rows, const Append& append) {
  Builder builder;
  check(builder.Reserve(static_cast<std::int64_t>(rows)));
  for (std::size_t row = 0; row < rows; ++row)
    check(append(builder, row));
  return check(builder.Finish());
}

template <typename Value>
ArrayPtr integers(std::size_t rows, const Value& value_of) {
  return build<arrow::Int64Builder>(
      rows, [&](auto& builder, std::size_t row) { return builder.Append(value_of(row)); });
}

template <typename Text>
ArrayPtr texts(std::size_t rows, const Text& text_of) {
  return build<arrow::StringBuilder>(
      rows, [&](auto& builder, std::size_t row) { return builder.Append(text_of(row)); });
}

/// Absent text is null, not "".
template <typename Text>
ArrayPtr known_texts(std::size_t rows, const Text& text_of) {
  return build<arrow::StringBuilder>(rows, [&](auto& builder, std::size_t row) {
    const auto& text = text_of(row);
    return text.empty() ? builder.AppendNull() : builder.Append(text);
  });
}

template <typename Builder = arrow::Int64Builder, typename Value>
ArrayPtr optionals(std::size_t rows, const Value& value_of) {
  return build<Builder>(rows, [&](auto& builder, std::size_t row) {
    const auto& value = value_of(row);
    return value ? builder.Append(*value) : builder.AppendNull();
  });
}

/// Which rows have a value, as Arrow's bits.
template <typename Has>
std::shared_ptr<arrow::Buffer> valid_rows(std::size_t rows, const Has& has) {
  arrow::TypedBufferBuilder<bool> bits;
  check(bits.Reserve(static_cast<std::int64_t>(rows)));
  for (std::size_t row = 0; row < rows; ++row)
    bits.UnsafeAppend(has(row));
  return check(bits.Finish());
}

/// `count` samples of a series, from `first` on.
std::shared_ptr<arrow::RecordBatch> samples_batch(const job::MetricSeries& series,
                                                  std::size_t first, std::size_t count,
                                                  Microseconds origin) {
  const auto times = series.time_span().subspan(first, count);
  const auto values = series.value_span().subspan(first, count);
  const auto same = [](std::string_view text) { return [text](std::size_t) { return text; }; };
  return arrow::RecordBatch::Make(
      metrics_schema(), static_cast<std::int64_t>(count),
      std::vector<ArrayPtr>{
          texts(count, [&](std::size_t row) { return to_smdebug_text(times[row]); }),
          integers(count, [&](std::size_t row) { return times[row] - origin; }),
          view_of(arrow::float64(), values),
          known_texts(count, same(series.recorded_as.name)),
          texts(count, same(series.recorded_as.dimension)),
          texts(count, same(series.node)),
          texts(count, same(series.recorded_as.type)),
          view_of(utc_time(), times),
          known_texts(count, same(job::to_string(series.unit))),
      });
}

/// `count` values of a scalar, from `first` on.
std::shared_ptr<arrow::RecordBatch> scalars_batch(const job::ScalarSeries& series,
                                                  std::size_t first, std::size_t count) {
  const auto same = [](std::string_view text) { return [text](std::size_t) { return text; }; };
  const auto steps = std::span{series.steps}.subspan(first, count);
  const auto values = std::span{series.values}.subspan(first, count);
  const ArrayPtr times =
      series.has_times()
          ? view_of(utc_time(), std::span<const Microseconds>{series.times}.subspan(first, count))
          : check(arrow::MakeArrayOfNull(utc_time(), static_cast<std::int64_t>(count)));
  return arrow::RecordBatch::Make(scalars_schema(), static_cast<std::int64_t>(count),
                                  std::vector<ArrayPtr>{
                                      texts(count, same(series.name)),
                                      view_of(arrow::int64(), std::span<const std::int64_t>{steps}),
                                      view_of(arrow::float64(), std::span<const double>{values}),
                                      times,
                                      texts(count, same(job::to_string(series.source))),
                                      known_texts(count, same(series.run)),
                                  });
}

/// `count` events, from row `first` on.
class EventRows {
public:
  EventRows(const job::EventTable& events, std::size_t first, std::size_t count,
            Microseconds origin)
      : events_(events)
      , first_(first)
      , count_(count)
      , origin_(origin) {
    const auto by_row = [](const job::EventDetails& details, std::size_t row) {
      return std::cmp_less(details.row, row);
    };
    auto details = std::lower_bound(events.details.begin(), events.details.end(), first, by_row);
    details_.resize(count, nullptr);
    for (; details != events.details.end() && std::cmp_less(details->row, first + count); ++details)
      details_[static_cast<std::size_t>(details->row) - first] = &*details;
  }

  /// A member of the details, by row.
  template <typename Member>
  auto detail(Member job::EventDetails::*member) const {
    return [this, member](std::size_t row) {
      return details_[row] == nullptr ? Member{} : details_[row]->*member;
    };
  }

  std::shared_ptr<arrow::RecordBatch> batch() const {
    const auto timeline = [&](std::size_t row) -> const job::Timeline& {
      return events_.timeline_of(first_ + row);
    };
    const auto track = [&](std::size_t row) -> const job::Track& {
      return events_.tracks[static_cast<std::size_t>(events_.track[first_ + row])];
    };
    const auto start = [&](std::size_t row) { return events_.start[first_ + row]; };
    const auto end = [&](std::size_t row) { return start(row) + events_.duration[first_ + row]; };
    const auto since_origin = [&](std::size_t row, Microseconds time) {
      return timeline(row).clock_known ? time - origin_ : time;
    };
    const auto text_of = [&](std::size_t row, Microseconds time) {
      return timeline(row).clock_known ? to_smdebug_text(time) : std::string{};
    };
    return arrow::RecordBatch::Make(
        events_schema(), static_cast<std::int64_t>(count_),
        std::vector<ArrayPtr>{
            known_texts(count_, [&](std::size_t row) { return text_of(row, start(row)); }),
            known_texts(count_, [&](std::size_t row) { return text_of(row, end(row)); }),
            integers(count_, [&](std::size_t row) { return since_origin(row, start(row)); }),
            integers(count_, [&](std::size_t row) { return since_origin(row, end(row)); }),
            optionals(count_, [&](std::size_t row) { return track(row).thread; }),
            optionals(count_, [&](std::size_t row) { return track(row).pid; }),
            texts(count_, [&](std::size_t row) { return events_.name_of(first_ + row); }),
            view_of(arrow::int64(), part(events_.step),
                    valid_rows(count_,
                               [&](std::size_t row) {
                                 return events_.step[first_ + row] != job::kNoStep;
                               })),
            optionals(count_, detail(&job::EventDetails::bytes)),
            known_texts(count_, [&](std::size_t row) { return events_.phase_of(first_ + row); }),
            known_texts(count_, [&](std::size_t row) { return node_label(timeline(row)); }),
            view_of(utc_time(), part(events_.start),
                    valid_rows(count_, [&](std::size_t row) { return timeline(row).clock_known; })),
            view_of(arrow::int64(), part(events_.duration)),
            texts(count_, [&](std::size_t row) { return job::to_string(timeline(row).kind); }),
            optionals(count_, detail(&job::EventDetails::worker_id)),
            optionals(count_, detail(&job::EventDetails::num_workers)),
            optionals<arrow::BooleanBuilder>(count_, detail(&job::EventDetails::pin_memory)),
        });
  }

private:
  static std::string_view node_label(const job::Timeline& timeline) {
    return timeline.process.empty() ? timeline.node : timeline.process;
  }

  template <typename Value>
  std::span<const Value> part(const Column<Value>& column) const {
    return std::span{column}.subspan(first_, count_);
  }

  const job::EventTable& events_;
  std::size_t first_;
  std::size_t count_;
  Microseconds origin_;
  std::vector<const job::EventDetails*> details_; ///< by row; null: none
};

/// Calls `part(first, count)` for each part of `rows` rows that makes a batch.
template <typename Part>
void in_batches(std::size_t rows, const Part& part) {
  constexpr auto kMaxRows = static_cast<std::size_t>(BatchBuilder::kMaxRows);
  for (std::size_t first = 0; first < rows; first += kMaxRows)
    part(first, std::min(kMaxRows, rows - first));
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

std::shared_ptr<arrow::Schema> scalars_schema() {
  return arrow::schema({
      field("name", arrow::utf8(), false),
      field("step", arrow::int64(), false),
      field("value", arrow::float64(), false),
      field("time", utc_time()),
      field("source", arrow::utf8(), false),
      field("run", arrow::utf8()),
  });
}

void for_each_scalars_batch(const job::Job& job, const BatchSink& sink) {
  for (const job::ScalarSeries& series : job.scalars)
    in_batches(series.size(), [&](std::size_t first, std::size_t count) {
      sink(scalars_batch(series, first, count));
    });
}

void for_each_metrics_batch(const job::Job& job, const BatchSink& sink) {
  const Microseconds origin = origin_of(job);
  for (const job::MetricSeries& series : job.metrics)
    in_batches(series.size(), [&](std::size_t first, std::size_t count) {
      sink(samples_batch(series, first, count, origin));
    });
}

void for_each_events_batch(const job::Job& job, const BatchSink& sink) {
  const Microseconds origin = origin_of(job);
  in_batches(job.events.size(), [&](std::size_t first, std::size_t count) {
    sink(EventRows{job.events, first, count, origin}.batch());
  });
}

} // namespace debrief::exports
