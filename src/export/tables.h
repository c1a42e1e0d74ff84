// A job's samples, scalars, events and slices as tables, with the column names of smdebug's
// PandasFrame first and a few of debrief's own after them; docs/export.md describes each column.
//
// A table is handed on in batches, so that a large job never stands in memory twice. This is the
// only place where Arrow meets the job: columns that Arrow can take as they are stay the job's
// memory, so that a batch must not outlive the job.
#pragma once

#include "job/job.h"

#include <arrow/type_fwd.h>

#include <functional>
#include <memory>

namespace debrief::exports {

using BatchSink = std::function<void(const std::shared_ptr<arrow::RecordBatch>&)>;

std::shared_ptr<arrow::Schema> metrics_schema();
std::shared_ptr<arrow::Schema> events_schema();

/// One row per sample, series after series (node, metric, device), each in the order of time.
void for_each_metrics_batch(const job::Job& job, const BatchSink& sink);

/// One row per event, in the order of the files.
void for_each_events_batch(const job::Job& job, const BatchSink& sink);

std::shared_ptr<arrow::Schema> scalars_schema();

/// One row per value that a training script logged, scalar after scalar, each in the order of
/// steps.
void for_each_scalars_batch(const job::Job& job, const BatchSink& sink);

std::shared_ptr<arrow::Schema> slices_schema();

/// One row per slice of the job's traces, trace after trace (by path), in each by track and start.
void for_each_slices_batch(const job::Job& job, const BatchSink& sink);

} // namespace debrief::exports
