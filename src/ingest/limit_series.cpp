#include "ingest/limit_series.h"

#include "util/sample_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <span>
#include <string>

namespace debrief::ingest {

namespace {

using SeriesSpan = std::span<job::MetricSeries>;

void leave_out(job::MetricSeries& series, const std::string& reason, job::ReadingReport& report) {
  job::ReadingReport::count(report.skipped, reason,
                            fmt::format("{}, {}", series.node, series.recorded_as.name),
                            series.size());
  series.values.clear(); // what has none is taken out at the end
}

bool sampled_at_once(SeriesSpan devices) {
  return std::all_of(devices.begin(), devices.end(), [&](const job::MetricSeries& series) {
    return series.times.shared_with(devices.front().times);
  });
}

std::size_t count_moments(SeriesSpan devices) {
  struct Sample {
    Microseconds time;
    std::size_t device;
  };

  std::vector<Sample> samples;
  for (std::size_t device = 0; device < devices.size(); ++device)
    for (const Microseconds time : devices[device].time_span())
      samples.push_back({time, device});
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
    return a.time != b.time ? a.time < b.time : a.device < b.device;
  });
  MomentCounter moments{devices.size()};
  for (const Sample& sample : samples)
    moments.take(sample.time, sample.device);
  return moments.count();
}

/// Of one metric on one node. Takes what it needs of the spare places.
void limit_devices(SeriesSpan devices, std::size_t& spare, job::ReadingReport& report) {
  if (devices.size() > kMaxDevices) {
    for (job::MetricSeries& series : devices.subspan(kMaxDevices))
      leave_out(series, fmt::format("sample of a device beyond {} per node", kMaxDevices), report);
    devices = devices.first(kMaxDevices);
  }
  if (devices.size() <= kPlacesPerSample || sampled_at_once(devices)) return;
  const std::size_t samples = std::accumulate(
      devices.begin(), devices.end(), std::size_t{0},
      [](std::size_t sum, const job::MetricSeries& series) { return sum + series.size(); });
  const std::size_t moments = count_moments(devices);
  const std::size_t places = devices.size() * moments;
  const std::size_t allowed = kPlacesPerSample * samples;
  if (places <= allowed + spare) {
    if (places > allowed) spare -= places - allowed;
    return;
  }
  const std::size_t most = std::max(kPlacesPerSample, allowed / moments);
  std::vector<job::MetricSeries*> by_size;
  for (job::MetricSeries& series : devices)
    by_size.push_back(&series);
  std::stable_sort(by_size.begin(), by_size.end(),
                   [](const auto* a, const auto* b) { return a->size() > b->size(); });
  for (std::size_t i = most; i < by_size.size(); ++i)
    leave_out(*by_size[i], "sample of a device that was hardly ever sampled together with others",
              report);
}

} // namespace

void limit_series(std::vector<job::MetricSeries>& series, job::ReadingReport& report) {
  std::size_t nodes = 0;
  std::size_t spare = kSparePlaces;
  for (auto first = series.begin(); first != series.end();) {
    const bool new_node = first == series.begin() || std::prev(first)->node != first->node;
    if (new_node) ++nodes;
    const auto last = std::find_if(first, series.end(), [&](const job::MetricSeries& other) {
      return other.node != first->node || other.metric != first->metric;
    });
    if (nodes > kMaxNodes)
      for (auto at = first; at != last; ++at)
        leave_out(*at, fmt::format("sample of a node beyond {} nodes", kMaxNodes), report);
    else
      limit_devices({first, last}, spare, report);
    first = last;
  }
  std::erase_if(series, [](const job::MetricSeries& some) { return some.values.empty(); });
}

} // namespace debrief::ingest
