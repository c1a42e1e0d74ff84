// What a job's machines measured while it ran: one series of (time, value) per node, device and
// metric.
//
// A series is two columns of equal length, sorted by time, without repeated times. Series that were
// sampled at the same moments (all the cores of a node) share one column of times.
#pragma once

#include "util/time.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::job {

/// The unit of a series' values.
enum class Unit { percent, bytes_per_second, operations_per_second, watts, celsius, unknown };

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
  gpu_sm_activity,
  gpu_power,
  gpu_temperature,
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

/// When samples were taken: microseconds since the epoch, ascending. Copies are cheap; they share
/// the times and know it.
class SampleTimes {
public:
  SampleTimes() = default;

  explicit SampleTimes(std::vector<Microseconds> times)
      : times_(std::make_shared<const std::vector<Microseconds>>(std::move(times))) {}

  std::span<const Microseconds> span() const {
    return times_ == nullptr ? std::span<const Microseconds>{} : std::span{*times_};
  }

  std::size_t size() const { return times_ == nullptr ? 0 : times_->size(); }

  /// Whether both are copies of one. Series whose times are equal share them (see join_series).
  bool shared_with(const SampleTimes& other) const { return times_ == other.times_; }

private:
  std::shared_ptr<const std::vector<Microseconds>> times_;
};

struct MetricSeries {
  std::string node;   ///< "algo-1"
  std::string device; ///< "cpu0", "gpu3"; empty for what a node has once
  Metric metric = Metric::other;
  Unit unit = Unit::unknown;
  MetricName recorded_as;

  SampleTimes times;
  std::vector<double> values; ///< in `unit`; never NaN or infinite

  std::span<const Microseconds> time_span() const { return times.span(); }

  std::span<const double> value_span() const { return values; }

  std::size_t size() const { return values.size(); }
};

/// A series while it is being read; make_series() makes the final one of it.
struct SeriesBuilder {
  std::vector<Microseconds> times;
  std::vector<double> values;
};

/// Takes the columns over without copying them.
MetricSeries make_series(std::string node, MetricName recorded_as, SeriesBuilder columns);

/// The order in which a job holds its series: by node, metric, device.
bool series_less(const MetricSeries& a, const MetricSeries& b);

} // namespace debrief::job
