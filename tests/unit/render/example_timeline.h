// Timelines as jobs have them, made up: waves over time, a sample every half second.
#pragma once

#include "result/result.h"

#include <cmath>
#include <string>
#include <vector>

namespace debrief {

inline constexpr Microseconds kTimelineStart = 1'700'000'000 * kSecond;

inline result::MetricTimeline example_metric(const std::string& metric, const std::string& unit,
                                             const std::vector<std::string>& devices,
                                             std::size_t samples, double height = 50) {
  result::MetricTimeline out;
  out.metric = *result::from_text<result::Metric>(metric);
  out.unit = unit;
  out.devices = devices;
  out.values.resize(devices.size());
  for (std::size_t at = 0; at < samples; ++at) {
    out.times.push_back(kTimelineStart + static_cast<Microseconds>(at) * kSecond / 2);
    const double wave = height * (1 + 0.9 * std::sin(static_cast<double>(at) / 9));
    out.whole.push_back(static_cast<float>(wave));
    for (std::size_t device = 0; device < devices.size(); ++device)
      out.values[device].push_back(
          static_cast<float>(wave + 5 * std::sin(static_cast<double>((device + 1) * (at + 1)))));
  }
  return out;
}

inline std::vector<std::string> numbered(const std::string& name, std::size_t count) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < count; ++at)
    out.push_back(name + std::to_string(at));
  return out;
}

struct TimelineSize {
  std::size_t nodes = 1;
  std::size_t gpus = 2;
  std::size_t cores = 4;
  std::size_t samples = 200;
  std::size_t steps = 150;
};

/// `name` is every name that comes from the job, where it is given.
inline result::Timeline example_timeline(const TimelineSize& size, const std::string& name = "") {
  const auto named = [&](const std::string& usual) { return name.empty() ? usual : name; };
  result::Timeline out;
  const Microseconds length = static_cast<Microseconds>(size.samples - 1) * kSecond / 2;
  out.span = {kTimelineStart, kTimelineStart + length};
  for (std::size_t node = 0; node < size.nodes; ++node) {
    result::NodeTimeline row;
    row.node = named("algo-" + std::to_string(node + 1));
    const auto gpus = name.empty() ? numbered("gpu", size.gpus) : std::vector{name};
    if (size.gpus > 0) {
      row.metrics.push_back(example_metric("GPU", "%", gpus, size.samples));
      row.metrics.push_back(example_metric("GPU memory", "%", gpus, size.samples));
    }
    row.metrics.push_back(example_metric("CPU", "%", numbered("cpu", size.cores), size.samples));
    row.metrics.push_back(example_metric("CPU memory", "%", {}, size.samples));
    row.metrics.push_back(
        example_metric("Network", "B/s", {"receive", "transmit"}, size.samples, 3e6));
    out.nodes.push_back(std::move(row));
  }
  result::StepTimeline steps{named("algo-1-27"), named("TRAIN"), {}};
  const Microseconds each = size.steps > 0 ? length / static_cast<Microseconds>(size.steps) : 0;
  for (std::size_t at = 0; at < size.steps; ++at)
    steps.steps.push_back(
        {kTimelineStart + static_cast<Microseconds>(at) * each, at % 50 == 49 ? each : each / 5});
  if (size.steps > 0) out.steps = {steps};
  out.phases = {
      {{result::PhaseKind::initialization}, {out.span.first, out.span.first + length / 10}},
      {{result::PhaseKind::steps, named("TRAIN")}, {out.span.first + length / 10, out.span.last}}};
  return out;
}

} // namespace debrief
