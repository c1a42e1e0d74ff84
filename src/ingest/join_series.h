// Joins the parts of each metric series that several files hold into one series, sorted by time.
#pragma once

#include "ingest/reader.h"

#include <vector>

namespace debrief::ingest {

/// `files` has the parts of each file. Repeated samples, and those of devices without a name, are
/// dropped and counted in `report`.
std::vector<job::MetricSeries> join_series(std::vector<std::vector<SeriesPart>> files,
                                           job::ReadingReport& report);

} // namespace debrief::ingest
