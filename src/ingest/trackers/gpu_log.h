// What the logs of nvidia-smi have in common: numbers with or without a unit, and columns that
// become series of the recorder's.
#pragma once

#include "ingest/trackers/tracker_metrics.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::trackers {

/// "87 %", "592.74 W", "36"; nothing for "[N/A]", "-" and other words.
std::optional<double> gpu_log_number(std::string_view cell);

/// Adds samples of one log, and keeps count of them.
class GpuLog {
public:
  GpuLog(MetricSource source, std::string_view path, FileReading& reading,
         job::SourceCounts& counts)
      : reading_(reading)
      , counts_(counts)
      , metrics_(source, path, reading.report) {}

  /// `value` is in the log's unit, `scale` times which is the recorder's.
  void add(std::string_view gpu, const char* dimension, Microseconds time, double value,
           double scale = 1) {
    if (metrics_.add("", {gpu_metric(gpu, dimension), scale}, time, value)) ++counts_.samples;
  }

  void finish() { reading_.metrics = metrics_.take(); }

private:
  FileReading& reading_;
  job::SourceCounts& counts_;
  TrackerMetrics metrics_;
};

} // namespace debrief::ingest::trackers
