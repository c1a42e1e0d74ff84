#include "embed/bundle.h"

#include "embed/quantize.h"
#include "util/parallel.h"

namespace debrief::embed {

namespace {

Group group_of_devices(const std::string& metric) {
  if (metric == "CPU" || metric == "I/O") return Group::cores;
  if (metric == "GPU" || metric == "GPU memory") return Group::gpus;
  return Group::nodes; // directions of a network or a disk, of which a node has two
}

Bundles::Metric bundles_of(const result::MetricTimeline& metric, Microseconds start,
                           double percent) {
  Bundles::Metric out;
  const double time_scale = scale_for_times(metric.times, start, kPartOfSample);
  out.whole = {Group::nodes,
               metric.times,
               time_scale,
               {{metric.whole, scale_for(metric.whole, metric.unit, kNodePercent)}}};
  if (metric.devices.empty()) return out;
  out.devices = Bundle{group_of_devices(metric.metric), metric.times, time_scale, {}};
  for (const std::vector<float>& values : metric.values)
    out.devices->series.push_back({values, scale_for(values, metric.unit, percent)});
  return out;
}

} // namespace

Bundles::Bundles(const result::Timeline& timeline, double percent)
    : nodes(timeline.nodes.size())
    , start(start_of(timeline)) {
  parallel_for(nodes.size(), [&](std::size_t i) {
    for (const result::MetricTimeline& metric : timeline.nodes[i].metrics)
      nodes[i].push_back(bundles_of(metric, start, percent));
  });
  for (const result::StepTimeline& row : timeline.steps) {
    StepColumns& columns = step_columns_.emplace_back();
    for (const result::StepMark& step : row.steps) {
      columns.starts.push_back(step.start);
      columns.seconds.push_back(static_cast<float>(in_seconds(step.duration)));
    }
    steps.push_back({Group::steps,
                     columns.starts,
                     scale_for_times(columns.starts, start, kPartOfStep),
                     {{columns.seconds, scale_for_durations(columns.seconds)}}});
  }
}

std::vector<const Bundle*> Bundles::of(Group group) const {
  std::vector<const Bundle*> out;
  for (const auto& node : nodes)
    for (const Metric& metric : node) {
      if (metric.whole.group == group) out.push_back(&metric.whole);
      if (metric.devices && metric.devices->group == group) out.push_back(&*metric.devices);
    }
  for (const Bundle& bundle : steps)
    if (bundle.group == group) out.push_back(&bundle);
  return out;
}

Array add_times(Block& block, const Bundle& bundle, Microseconds start, std::size_t every) {
  return every == 1
             ? block.add(quantized(bundle.times, start, bundle.time_scale), bundle.time_scale)
             : block.add(quantized(thinned(bundle.times, every), start, bundle.time_scale),
                         bundle.time_scale);
}

SeriesPlace add_series(Block& block, const Series& series, std::size_t every) {
  if (every == 1) return {block.add(quantized(series.values, series.scale), series.scale), {}, {}};
  const Thinned points = thinned(series.values, every);
  const auto add = [&](const std::vector<float>& values) {
    return block.add(quantized(values, series.scale), series.scale);
  };
  SeriesPlace place;
  place.mean = add(points.mean);
  place.min = add(points.min);
  place.max = add(points.max);
  return place;
}

BundlePlace add_bundle(Block& block, const Bundle& bundle, Microseconds start,
                       const Levels& levels) {
  BundlePlace place;
  place.every = levels[static_cast<std::size_t>(bundle.group)];
  place.times = add_times(block, bundle, start, place.every);
  for (const Series& series : bundle.series)
    place.series.push_back(add_series(block, series, place.every));
  return place;
}

} // namespace debrief::embed
