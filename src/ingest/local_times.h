// nvidia-smi logs have local times without a zone. They are read as UTC, unless that puts them
// beside the rest of the job and a whole number of quarters of an hour puts them onto it: no zone
// is off by anything else.
#pragma once

#include "ingest/reader.h"

#include <optional>
#include <vector>

namespace debrief::ingest {

/// Whether any of the files is such a log.
bool has_local_times(const std::vector<std::vector<SeriesPart>>& files);

/// Shifts the logs' samples. `rest` is when the rest of the job ran, as far as its other files say.
/// `report` says which clock was taken.
void shift_local_times(std::vector<std::vector<SeriesPart>>& files,
                       const std::optional<TimeSpan>& rest, job::ReadingReport& report);

} // namespace debrief::ingest
