// The slices of a job's traces as a table; docs/export.md describes each column.
#pragma once

#include "export/tables.h"

namespace debrief::exports {

std::shared_ptr<arrow::Schema> slices_schema();

/// One row per slice, trace after trace (by path), in each by track and start.
void for_each_slices_batch(const job::Job& job, const BatchSink& sink);

} // namespace debrief::exports
