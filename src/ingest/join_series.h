// Joins the parts of each metric series that several files hold into one series, sorted by time.
#pragma once

#include "ingest/reader.h"

#include <vector>

namespace debrief {

/// `parts` is emptied. Repeated samples, and those of devices without a name, are dropped and
/// counted in `report`.
std::vector<MetricSeries> join_series(std::vector<SeriesPart> parts, ReadingReport& report);

} // namespace debrief
