// Which runs the stores of trackers below a path hold, for who wants a report of each.
#pragma once

#include "ingest/read_job.h"

#include <string>
#include <vector>

namespace debrief::ingest {

struct StoredRunName {
  std::string id;    ///< what ReadOptions::run takes
  std::string label; ///< what people call it
};

/// By start. A run that two trackers logged at the same time is there once; deleted ones are not.
/// Empty where the path has no store. Throws Error where nothing can be read at the path.
std::vector<StoredRunName> list_runs(const std::string& path, const ReadOptions& options);

} // namespace debrief::ingest
