// The result object: everything debrief found out about a job, as plain data. Every output (page,
// JSON) is a rendering of it. Times are microseconds since the epoch here and ISO-8601 in JSON;
// what is not known is absent here and null in JSON, never zero. docs/result.md describes each
// field.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// A machine of the job.
struct Node {
  std::string name;
  std::optional<std::int64_t> cores; ///< absent where no CPU metric was recorded
  std::optional<std::int64_t>
      gpus; ///< absent where no system metric was recorded; 0: measured, none seen
};

struct JobSummary {
  std::string name;
  std::optional<TimeSpan> span;                    ///< first to last thing recorded
  std::optional<Microseconds> training_loop_start; ///< the first step's start
  std::optional<Microseconds> training_loop_end;   ///< the last step's end
  std::vector<Node> nodes;
  std::vector<std::string> processes; ///< that recorded framework events
  std::optional<std::string> framework;
  std::optional<std::string> instance_type;
  std::optional<std::int64_t> instance_count;
  std::optional<std::string> status;
  std::optional<Microseconds> described_start; ///< what the description says, where there is one
  std::optional<Microseconds> described_end;
  std::map<std::string, std::string> hyperparameters;
};

/// How much of one resource a node used, over all its samples.
struct UsageRow {
  std::string node;
  std::string metric; ///< "CPU", "GPU", "CPU memory", "GPU memory", "I/O", "Network"
  std::string unit;   ///< "%", "B/s"
  double max = 0;
  double p99 = 0;
  double p95 = 0;
  double p50 = 0;
  double min = 0;
  std::optional<std::int64_t>
      samples; ///< moments behind the figures; absent where SageMaker computed them
};

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

/// How well a node was sampled.
struct NodeSampling {
  std::string node;
  TimeSpan span;
  std::int64_t samples = 0; ///< moments at which the node's best-sampled series has a value
  std::optional<double> interval_p50; ///< seconds between samples; absent for fewer than two
  std::optional<double> interval_min;
  std::optional<double> interval_max;
  std::vector<TimeSpan> gaps; ///< the first kMostGaps of them
  std::int64_t gap_count = 0;
  double gap_seconds = 0;
  std::vector<std::string> not_recorded; ///< metrics of the usage table that this node lacks
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
  std::vector<TroubleRow> mended;
  std::vector<TroubleRow> damaged_files;
  std::vector<IgnoredRow> ignored; ///< the first kMostIgnored of them
  std::uint64_t ignored_count = 0;
  std::vector<OtherJobRow> other_jobs;
  std::vector<NodeSampling> nodes;
  std::vector<ClockSkew> clock_skew;
  std::vector<std::string> missing_nodes;
  std::vector<std::string> missing_ranks;
  std::optional<double> described_interval; ///< seconds, as the profiler was configured
};

struct Provenance {
  std::string version;
  std::string input;                             ///< name of the folder or file that was given
  std::map<std::string, std::string> parameters; ///< that differ from their defaults
};

struct Result {
  JobSummary job;
  std::vector<UsageRow> system_usage;
  DataQuality data_quality;
  Provenance provenance;
};

/// Lists of a result that could grow without bound are cut here; the counts beside them are whole.
inline constexpr std::size_t kMostGaps = 100;
inline constexpr std::size_t kMostIgnored = 100;

} // namespace debrief::result
