// What the result says about the framework: phases, operators, data loading.
#pragma once

#include "result/enum_names.h"
#include "result/histogram.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// A part of some whole: a phase, a kind of work, a collective. Percents of one list sum to 100.
struct ShareRow {
  std::string process; ///< whose part; empty: of all processes together
  std::string name;    ///< empty in the row of all others
  double percent = 0;
  std::optional<double> seconds; ///< absent where SageMaker's files are all there is
  std::optional<std::int64_t> calls;
  /// How many parts that have no row of their own this one sums up; absent: it is one part.
  std::optional<std::int64_t> other_count = {};
};

/// What a row is called in tables and rule outputs: its name, or "and 5 more".
inline std::string label_of(const ShareRow& row) {
  return row.other_count ? "and " + std::to_string(*row.other_count) + " more" : row.name;
}

/// An operator, over all its calls.
struct OperatorRow {
  std::string name;
  double percent = 0; ///< of the sum of all operators' totals, as SageMaker counts: nested
                      ///< operators are in it several times
  std::int64_t total_us = 0;
  std::optional<std::int64_t> self_us; ///< without the operators that ran inside of it
  std::optional<double> self_percent;  ///< of the sum of all self times: each moment counts once
  std::optional<std::int64_t> calls;
};

struct OperatorTable {
  std::vector<OperatorRow> rows; ///< most self time first (total where that is not known)
  std::int64_t count = 0;        ///< of distinct operators; rows has the first kMaxOperators
};

inline constexpr std::size_t kMaxOperators = 500;

struct Framework {
  std::vector<ShareRow> phase; ///< per process: modes and "others", the time outside steps
  std::vector<ShareRow> forward_backward;
  std::vector<ShareRow> ratio;       ///< CPU against GPU operators, by self time
  std::vector<ShareRow> general;     ///< data loading, forward, backward, …
  std::vector<ShareRow> collectives; ///< of Horovod, smdataparallel and NCCL
  OperatorTable cpu_operators;
  OperatorTable gpu_operators;
  bool recorded_by_sagemaker = false; ///< figures are SageMaker's own, with its errors
  /// Where the operators come from; empty where there are none.
  std::string operator_source;
};

/// What a figure of the framework was computed from.
inline constexpr const char* kFromTimelines = "framework timelines";
inline constexpr const char* kFromTraces = "PyTorch traces";
inline constexpr const char* kFromRuleOutputs = "SageMaker's rule outputs";

/// What a data loader does. `unknown` is met in documents of another version alone.
enum class LoadKind { load, get_next, worker, batch, initialize, unknown };

template <>
inline constexpr auto kNames<LoadKind> =
    std::to_array<const char*>({"load", "get next", "worker", "batch", "initialize", "unknown"});

/// Durations of one kind of data-loading work, in seconds.
struct LoadTimes {
  LoadKind what = LoadKind::unknown;
  std::int64_t count = 0;
  std::optional<double> mean;
  std::optional<double> min;
  double p25 = 0;
  double p50 = 0;
  double p95 = 0;
  std::optional<double> max;
  std::optional<std::int64_t> outliers; ///< longer than twice the median
  Histogram histogram;                  ///< 100 bins
};

/// How data was loaded; all absent where no data-loader event was recorded.
struct DataLoading {
  std::optional<std::int64_t> num_workers; ///< as configured, the last where it changed
  /// Of one process; nothing where loaders differ, as those of training and evaluation may.
  std::optional<std::int64_t> batch_size;
  std::optional<std::int64_t> cores; ///< of the node that loads
  std::optional<bool> pin_memory;
  std::optional<bool> prefetch;
  std::optional<std::int64_t> loaders;         ///< median number of processes that load, per second
  std::optional<std::int64_t> initializations; ///< iterators that were set up
  std::vector<LoadTimes> times;
  std::string source; ///< see kFromTimelines; empty where nothing is known

  bool empty() const { return times.empty() && !num_workers && !loaders; }
};

} // namespace debrief::result
