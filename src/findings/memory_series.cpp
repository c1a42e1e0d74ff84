#include "findings/memory_series.h"

#include "aggregate/statistics.h"
#include "findings/series.h"
#include "findings/thresholds.h"
#include "util/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace debrief::findings {

namespace {

using namespace thresholds;

double quantile(std::vector<double> values, double share) {
  const std::array<double, 1> shares = {share};
  return aggregate::quantiles(values, shares).front();
}

/// Nothing where the loop has too few samples for its tenths to mean anything.
template <typename Value>
std::optional<MemorySeries> series_of(const std::vector<Microseconds>& times,
                                      const std::vector<Value>& values, const TimeSpan& loop) {
  std::vector<double> inside;
  MemorySeries out;
  std::optional<Microseconds> first;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (std::isnan(values[i]) || !loop.contains(times[i])) continue;
    inside.push_back(static_cast<double>(values[i]));
    if (!first) first = times[i];
    out.seconds = in_seconds(times[i] - *first);
  }
  if (inside.size() < kMemoryParts * kMinSamplesInPart) return std::nullopt;
  std::vector<double> changes;
  for (std::size_t i = 1; i < inside.size(); ++i)
    changes.push_back(std::abs(inside[i] - inside[i - 1]));
  out.jitter = quantile(changes, 0.5);
  for (std::size_t part = 0; part < kMemoryParts; ++part) {
    const std::vector<double> values_of_part(
        inside.begin() + static_cast<std::ptrdiff_t>(part * inside.size() / kMemoryParts),
        inside.begin() + static_cast<std::ptrdiff_t>((part + 1) * inside.size() / kMemoryParts));
    out.lowest.push_back(quantile(values_of_part, 0.1)); // a stray zero is no memory set free
    if (part == kMemoryParts / 2)
      out.spread = quantile(values_of_part, 0.95) - quantile(values_of_part, 0.05);
    if (part + 1 == kMemoryParts) out.last = quantile(values_of_part, 0.5);
  }
  out.highest = quantile(inside, 0.99);
  out.peak = *std::max_element(inside.begin(), inside.end());
  return out;
}

} // namespace

bool MemorySeries::occupied() const {
  return jitter <= kOccupied && spread <= kOccupiedSpread && lowest.back() > 0;
}

double MemorySeries::growth() const {
  std::size_t rises = 0;
  for (std::size_t i = 1; i < lowest.size(); ++i)
    if (lowest[i] > lowest[i - 1]) ++rises;
  if (static_cast<double>(rises) < kGrowthSteady * static_cast<double>(lowest.size() - 1)) return 0;
  // What ends its rise early was filling a cache.
  const double late = lowest.back() - lowest[lowest.size() / 2];
  const double all = lowest.back() - lowest.front();
  return late >= kGrowthLate * all ? all : 0;
}

MemoryUse memory_use(std::span<const aggregate::NodeSeries> nodes, const TimeSpan& loop) {
  struct Measured {
    const aggregate::NodeSeries& node;
    const aggregate::NodeMetricSeries& memory;
    std::optional<std::size_t> place = {}; ///< of a GPU; nothing: the host
    std::optional<MemorySeries> series = {};
  };

  std::vector<Measured> all;
  for (const aggregate::NodeSeries& node : nodes) {
    if (const aggregate::NodeMetricSeries* memory = node.find(result::Metric::gpu_memory))
      for (std::size_t place = 0; place < memory->devices.size(); ++place)
        all.push_back({node, *memory, place});
    if (const aggregate::NodeMetricSeries* memory = node.find(result::Metric::cpu_memory))
      all.push_back({node, *memory});
  }
  parallel_for(all.size(), [&](std::size_t i) {
    const auto& [node, memory, place, series] = all[i];
    all[i].series = place ? series_of(memory.times, memory.values[*place], loop)
                          : series_of(memory.times, memory.combined, loop);
  });
  MemoryUse out;
  for (Measured& measured : all) {
    if (!measured.series) continue;
    measured.series->node = measured.node.node;
    if (measured.place) measured.series->device = measured.memory.devices[*measured.place];
    (measured.place ? out.gpus : out.hosts).push_back(std::move(*measured.series));
  }
  return out;
}

std::vector<MemorySeries> limited_memory(std::span<const job::MetricSeries> metrics,
                                         const TimeSpan& loop) {
  std::vector<MemorySeries> out;
  for (const job::MetricSeries& metric : metrics) {
    if (metric.recorded_as.type != "cgroup" || metric.recorded_as.name != "MemoryOfLimitPercent")
      continue;
    std::vector<double> values = metric.values;
    for (double& value : values)
      value = std::clamp(value, 0.0, 100.0);
    const std::vector<Microseconds> times(metric.time_span().begin(), metric.time_span().end());
    if (auto series = series_of(times, values, loop)) {
      series->node = metric.node;
      series->of_limit = true;
      out.push_back(std::move(*series));
    }
  }
  return out;
}

} // namespace debrief::findings
