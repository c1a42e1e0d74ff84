// Keeps a job's series in proportion to what was recorded.
//
// Figures are made node by node and moment by moment of all of a node's devices. A file can name as
// many nodes as it has samples, and devices that never were sampled together: then a table of them
// is mostly holes. What no cluster has is left out, and counted as lost.
#pragma once

#include "job/metrics.h"
#include "job/reading_report.h"

#include <cstddef>
#include <vector>

namespace debrief::ingest {

inline constexpr std::size_t kMaxNodes = 4096;
/// Of one metric on one node.
inline constexpr std::size_t kMaxDevices = 4096;
/// Places in a table of devices and moments for each sample in it; up to this many devices are
/// always kept. All tables of a job together may have kSparePlaces more.
inline constexpr std::size_t kPlacesPerSample = 64;
inline constexpr std::size_t kSparePlaces = 4'000'000;

/// `series` are in the order of series_less, and share their times where they are equal. The first
/// nodes and devices are kept, and of devices that were not sampled together those with most
/// samples.
void limit_series(std::vector<job::MetricSeries>& series, job::ReadingReport& report);

} // namespace debrief::ingest
