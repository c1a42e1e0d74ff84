// What the result says about its own ground: what was read, what was lost, how well it was sampled.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// What one kind of file contributed.
struct SourceRow {
  std::string source;
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
  std::uint64_t decoded_bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t samples = 0;
  std::uint64_t events = 0;
};

/// One kind of trouble met while reading.
struct TroubleRow {
  std::string reason;
  std::uint64_t count = 0;
  std::string first_seen;
};

struct IgnoredRow {
  std::string path;
  std::string reason;
};

struct OtherJobRow {
  TimeSpan span;
  std::uint64_t samples = 0;
  std::uint64_t events = 0;
};

/// A core or a GPU that was sampled for less long than its node.
struct DeviceSampling {
  std::string device; ///< "gpu3"
  std::int64_t samples = 0;
  double unsampled_seconds = 0; ///< in which its node was sampled and the device was not
};

/// How well a node was sampled.
struct NodeSampling {
  std::string node;
  TimeSpan span;
  std::int64_t samples = 0; ///< moments at which the node's best-sampled series has a value
  std::optional<double> interval_p50; ///< seconds between samples; absent for fewer than two
  std::optional<double> interval_min;
  std::optional<double> interval_max;
  std::vector<TimeSpan> gaps; ///< the first kMaxGaps of them
  std::int64_t gap_count = 0;
  double gap_seconds = 0;
  double unsampled_at_start = 0; ///< seconds of the job before its first sample; 0: no delay to
                                 ///< speak of
  double unsampled_at_end = 0;   ///< and after its last
  std::vector<DeviceSampling> less_sampled; ///< the first kMaxGaps of them
  std::int64_t less_sampled_count = 0;
  std::vector<std::string> missing_devices; ///< "gpu2" beside gpu1 and gpu3
  std::vector<std::string> not_recorded;    ///< metrics of the usage table that this node lacks
};

/// A node whose clock seems to differ from the others'.
struct ClockSkew {
  std::string node;
  double seconds = 0; ///< positive: ahead of the others
};

struct DataQuality {
  bool complete = true; ///< nothing was lost, as far as can be told
  std::vector<SourceRow> sources;
  std::vector<TroubleRow> skipped;
  std::vector<TroubleRow> repaired;
  std::vector<TroubleRow> damaged_files;
  std::vector<IgnoredRow> ignored; ///< the first kMaxIgnored of them
  std::uint64_t ignored_count = 0;
  std::vector<OtherJobRow> other_jobs;
  std::vector<NodeSampling> nodes;
  std::vector<ClockSkew> clock_skew;
  std::vector<std::string> missing_nodes;
  std::vector<std::string> missing_ranks;
  std::optional<double> described_interval; ///< seconds, as the profiler was configured
  std::vector<std::string> recorder_notes;  ///< what the recorder says is missing, and why
};

/// Lists that could grow without bound are cut here; the counts beside them are whole.
inline constexpr std::size_t kMaxGaps = 100;
inline constexpr std::size_t kMaxIgnored = 100;

} // namespace debrief::result
