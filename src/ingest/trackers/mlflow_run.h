// One run of MLflow's while it is read, from a database or from text files.
#pragma once

#include "ingest/trackers/run_parameters.h"
#include "ingest/trackers/scalar_columns.h"
#include "ingest/trackers/tracker_metrics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest::trackers {

/// One logged value.
struct MlflowPoint {
  std::int64_t step = 0;
  std::int64_t milliseconds = 0; ///< since the epoch
  double value = 0;              ///< NaN where MLflow says so
};

/// What the recorder calls a system metric; nothing for one that it has nothing alike for.
struct MlflowSystemMetric {
  std::string_view node; ///< of "system/<node>/…"; else empty
  std::optional<MetricRule> rule;
};

/// Nothing where the key is no system metric of MLflow's own.
std::optional<MlflowSystemMetric> mlflow_system_metric(std::string_view key);

/// "Completed" of "FINISHED"; nothing for what MLflow does not have.
std::optional<std::string> mlflow_status(std::string_view status);

/// The same of the number in a meta.yaml.
std::optional<std::string> mlflow_status(std::int64_t status);

/// Nothing where it is not of this century.
std::optional<Microseconds> mlflow_time(std::int64_t milliseconds);

class MlflowRun {
public:
  MlflowRun(std::string_view path, std::string folder, std::string id, job::ReadingReport& report);

  LoggedRun& run() { return run_; }

  RunParameters& parameters() { return parameters_; }

  /// Adds all points of a metric, in any order.
  void add_metric(std::string_view key, std::vector<MlflowPoint> points);

  /// How many values and samples were kept.
  std::uint64_t samples() const { return samples_; }

  LoggedRun take();

private:
  std::string_view path_;
  job::ReadingReport& report_;
  LoggedRun run_;
  ScalarColumns columns_;
  TrackerMetrics metrics_;
  RunParameters parameters_;
  std::uint64_t samples_ = 0;
};

} // namespace debrief::ingest::trackers
