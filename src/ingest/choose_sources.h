// Several tools may have sampled one machine: which of them a job's series are taken from, and on
// which node those are that do not say (docs/inputs.md).
#pragma once

#include "ingest/reader.h"

#include <vector>

namespace debrief::ingest {

std::string_view to_string(MetricSource source);

/// Names the nodes of series that have none, keeps for each metric the series of the first source
/// (MetricSource) that has it, and lists in `report` what it drops. A mean over a machine's cores
/// is dropped where the cores are there.
void choose_sources(std::vector<std::vector<SeriesPart>>& files, job::ReadingReport& report);

} // namespace debrief::ingest
