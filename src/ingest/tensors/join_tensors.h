// The index files of one debug-output folder as one table.
#pragma once

#include "ingest/discover.h"
#include "ingest/reader.h"
#include "job/tensors.h"

#include <vector>

namespace debrief::ingest::tensors {

/// `indexes` and `collections` are in the order of their paths. Of several folders the first one is
/// the job's; what is lost or left out is counted in `report`.
job::TensorTable join_tensors(std::vector<TensorIndex> indexes,
                              std::vector<TensorCollections> collections, const FoundFiles& files,
                              job::ReadingReport& report);

} // namespace debrief::ingest::tensors
