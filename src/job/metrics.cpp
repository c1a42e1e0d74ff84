#include "job/metrics.h"

#include <arrow/array/array_primitive.h>
#include <arrow/buffer.h>

#include <cctype>
#include <tuple>
#include <utility>

namespace debrief::job {

namespace {

std::size_t digits_at(std::string_view text, std::size_t from) {
  std::size_t end = from;
  while (end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0)
    ++end;
  return end - from;
}

} // namespace

std::string_view to_string(Unit unit) {
  switch (unit) {
  case Unit::percent:
    return "%";
  case Unit::bytes_per_second:
    return "B/s";
  case Unit::operations_per_second:
    return "1/s";
  case Unit::unknown:
    break;
  }
  return "";
}

Metric classify(const MetricName& name) {
  if (name.type == "cpu") {
    if (name.dimension == "CPUUtilization") return Metric::cpu_utilization;
    if (name.dimension == "I/OWaitPercentage") return Metric::cpu_io_wait;
  } else if (name.type == "gpu") {
    if (name.dimension == "GPUUtilization") return Metric::gpu_utilization;
    if (name.dimension == "GPUMemoryUtilization") return Metric::gpu_memory;
  } else if (name.type == "memory") {
    if (name.name == "MemoryUsedPercent") return Metric::host_memory;
  } else if (name.type == "i/o") {
    if (name.name == "IOPS") return Metric::disk_operations;
    if (name.name == "ReadThroughputInBytesPerSecond") return Metric::disk_read;
    if (name.name == "WriteThroughputInBytesPerSecond") return Metric::disk_write;
  } else if (name.type == "network" && name.dimension == "Algorithm") {
    // The dimension "Platform" is the service's own traffic, not the job's.
    if (name.name == "ReceiveBytesPerSecond") return Metric::network_receive;
    if (name.name == "TransmitBytesPerSecond") return Metric::network_transmit;
  }
  return Metric::other;
}

Unit unit_of(Metric metric) {
  switch (metric) {
  case Metric::cpu_utilization:
  case Metric::cpu_io_wait:
  case Metric::gpu_utilization:
  case Metric::gpu_memory:
  case Metric::host_memory:
    return Unit::percent;
  case Metric::disk_operations:
    return Unit::operations_per_second;
  case Metric::disk_read:
  case Metric::disk_write:
  case Metric::network_receive:
  case Metric::network_transmit:
    return Unit::bytes_per_second;
  case Metric::other:
    break;
  }
  return Unit::unknown;
}

std::span<const Microseconds> MetricSeries::time_span() const {
  return {times->raw_values(), static_cast<std::size_t>(times->length())};
}

std::span<const double> MetricSeries::value_span() const {
  return {values->raw_values(), static_cast<std::size_t>(values->length())};
}

std::size_t MetricSeries::size() const {
  return static_cast<std::size_t>(times->length());
}

MetricSeries make_series(std::string node, MetricName recorded_as, SeriesBuilder columns) {
  const auto length = static_cast<std::int64_t>(columns.times.size());
  MetricSeries series;
  series.node = std::move(node);
  series.metric = classify(recorded_as);
  series.unit = unit_of(series.metric);
  if (recorded_as.type == "cpu" || recorded_as.type == "gpu") series.device = recorded_as.name;
  series.recorded_as = std::move(recorded_as);
  series.times = std::make_shared<arrow::Int64Array>(
      length, arrow::Buffer::FromVector(std::move(columns.times)));
  series.values = std::make_shared<arrow::DoubleArray>(
      length, arrow::Buffer::FromVector(std::move(columns.values)));
  return series;
}

bool natural_less(std::string_view a, std::string_view b) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const std::size_t a_digits = digits_at(a, i);
    const std::size_t b_digits = digits_at(b, j);
    if (a_digits > 0 && b_digits > 0) {
      // Leading zeros aside, the longer run of digits is the larger number.
      std::string_view a_number = a.substr(i, a_digits);
      std::string_view b_number = b.substr(j, b_digits);
      a_number.remove_prefix(std::min(a_number.find_first_not_of('0'), a_number.size()));
      b_number.remove_prefix(std::min(b_number.find_first_not_of('0'), b_number.size()));
      if (a_number.size() != b_number.size()) return a_number.size() < b_number.size();
      if (a_number != b_number) return a_number < b_number;
      i += a_digits;
      j += b_digits;
    } else {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i;
      ++j;
    }
  }
  if (a.size() - i != b.size() - j) return a.size() - i < b.size() - j;
  return a < b; // equal but for leading zeros
}

bool series_less(const MetricSeries& a, const MetricSeries& b) {
  if (a.node != b.node) return natural_less(a.node, b.node);
  if (a.metric != b.metric) return a.metric < b.metric;
  if (a.device != b.device) return natural_less(a.device, b.device);
  return a.recorded_as < b.recorded_as;
}

} // namespace debrief::job
