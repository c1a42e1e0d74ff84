#include "aggregate/bottleneck_moments.h"

#include "aggregate/node_series.h"

#include <algorithm>

namespace debrief::aggregate {

namespace {

/// Counts of one group of series that share their times; most nodes have two: GPUs and cores.
struct Group {
  job::SampleTimes times;
  std::vector<BottleneckSample> moments;
};

template <typename Matches>
void count(const std::vector<const job::MetricSeries*>& devices,
           std::int32_t BottleneckSample::*member, bool BottleneckSample::*has,
           const Matches& matches, std::vector<Group>& groups) {
  for (const job::MetricSeries* series : devices) {
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
      return known.times.shared_with(series->times);
    });
    if (group == groups.end()) {
      groups.push_back({series->times, std::vector<BottleneckSample>(series->size())});
      group = groups.end() - 1;
      const auto times = series->time_span();
      for (std::size_t i = 0; i < times.size(); ++i)
        group->moments[i].time = times[i];
    }
    const auto values = series->value_span();
    for (std::size_t i = 0; i < values.size(); ++i)
      group->moments[i].*member += matches(values[i]) ? 1 : 0;
    for (BottleneckSample& moment : group->moments)
      moment.*has = true;
  }
}

} // namespace

std::vector<BottleneckSample>
bottleneck_samples(const NodeDevices& node, const std::vector<const job::MetricSeries*>& per_core,
                   double gpu_below, double core_above) {
  std::vector<Group> groups;
  count(
      node.gpus, &BottleneckSample::low_gpus, &BottleneckSample::has_gpu,
      [&](double value) { return value < gpu_below; }, groups);
  count(
      per_core, &BottleneckSample::high_cores, &BottleneckSample::has_core,
      [&](double value) { return value > core_above; }, groups);
  std::vector<BottleneckSample> samples;
  for (const Group& group : groups)
    samples.insert(samples.end(), group.moments.begin(), group.moments.end());
  std::stable_sort(
      samples.begin(), samples.end(),
      [](const BottleneckSample& a, const BottleneckSample& b) { return a.time < b.time; });
  std::vector<BottleneckSample> moments;
  for (const BottleneckSample& sample : samples) {
    if (moments.empty() || sample.time - moments.back().time > kSameMoment) {
      moments.push_back(sample);
      continue;
    }
    moments.back().low_gpus += sample.low_gpus;
    moments.back().high_cores += sample.high_cores;
    moments.back().has_gpu |= sample.has_gpu;
    moments.back().has_core |= sample.has_core;
  }
  return moments;
}

} // namespace debrief::aggregate
