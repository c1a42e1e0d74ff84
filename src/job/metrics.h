// What a job's machines measured while it ran: one series of (time, value) per node, device and
// metric.
//
// A series is two Arrow arrays of equal length, sorted by time, without repeated times. Series that
// were sampled at the same moments (all the cores of a node) share one array of times.
#pragma once

#include "util/time.h"

#include <arrow/type_fwd.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::job {

/// The unit of a series' values.
enum class Unit { percent, bytes_per_second, operations_per_second, unknown };

std::string_view to_string(Unit unit);

/// What a series measures. `other` is kept and exported, but no figure is made of it.
enum class Metric {
  cpu_utilization,
  cpu_io_wait,
  gpu_utilization,
  gpu_memory,
  host_memory,
  disk_operations,
  disk_read,
  disk_write,
  network_receive,
  network_transmit,
  other,
};

/// The recorder's own words for a series; they identify it and are what the export shows.
struct MetricName {
  std::string type;      ///< "cpu", "gpu", "memory", "i/o", "network"
  std::string name;      ///< "cpu0", "MemoryUsedPercent"; empty where the recorder gave none
  std::string dimension; ///< "CPUUtilization", "Algorithm", ""

  auto operator<=>(const MetricName&) const = default;
};

Metric classify(const MetricName& name);
Unit unit_of(Metric metric);

struct MetricSeries {
  std::string node;   ///< "algo-1"
  std::string device; ///< "cpu0", "gpu3"; empty for what a node has once
  Metric metric = Metric::other;
  Unit unit = Unit::unknown;
  MetricName recorded_as;

  std::shared_ptr<arrow::Int64Array> times;   ///< microseconds since the epoch
  std::shared_ptr<arrow::DoubleArray> values; ///< in `unit`; never NaN or infinite

  std::span<const Microseconds> time_span() const;
  std::span<const double> value_span() const;
  std::size_t size() const;
};

/// A series while it is being read. finish() makes the immutable one of it.
struct SeriesBuilder {
  std::vector<Microseconds> times;
  std::vector<double> values;
};

/// Wraps the columns as Arrow arrays without copying them.
MetricSeries make_series(std::string node, MetricName recorded_as, SeriesBuilder columns);

/// Orders "cpu2" before "cpu10", and by plain text otherwise.
bool natural_less(std::string_view a, std::string_view b);

/// The order in which a job holds its series: by node, metric, device.
bool series_less(const MetricSeries& a, const MetricSeries& b);

} // namespace debrief::job
