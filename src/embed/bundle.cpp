#include "embed/bundle.h"

#include "embed/quantize.h"
#include "util/parallel.h"

#include <algorithm>
#include <string_view>

namespace debrief::embed {

namespace {

Group group_of_devices(result::Metric metric) {
  using result::Metric;
  switch (metric) {
  case Metric::cpu:
  case Metric::io:
    return Group::cores;
  case Metric::gpu:
  case Metric::gpu_memory:
  case Metric::gpu_sm_activity:
  case Metric::gpu_power:
  case Metric::gpu_temperature:
    return Group::gpus;
  default:
    return Group::nodes; // directions of a network or a disk, of which a node has two
  }
}

/// Scales of series are found later, on all cores.
Bundles::Metric bundles_of(const result::MetricTimeline& metric, Microseconds start) {
  Bundles::Metric out;
  const double time_scale = scale_for_times(metric.times, start, kPartOfSample);
  out.whole = {Group::nodes, metric.times, time_scale, {{metric.whole}}};
  if (metric.devices.empty()) return out;
  out.devices = Bundle{group_of_devices(metric.metric), metric.times, time_scale, {}};
  for (const std::vector<float>& values : metric.values)
    out.devices->series.push_back({values});
  return out;
}

/// What 1 stands for in a series, if it is of percentages.
struct Scaled {
  Series* series = nullptr;
  std::string_view unit;
  double percent = 0;
};

} // namespace

Bundles::Bundles(const result::Timeline& timeline, double percent)
    : nodes(timeline.nodes.size())
    , steps(timeline.steps.size())
    , start(start_of(timeline))
    , step_columns_(timeline.steps.size()) {
  std::vector<std::pair<std::size_t, std::size_t>> metrics; // node, metric
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    nodes[i].resize(timeline.nodes[i].metrics.size());
    for (std::size_t j = 0; j < nodes[i].size(); ++j)
      metrics.emplace_back(i, j);
  }
  parallel_for(metrics.size(), [&](std::size_t at) {
    const auto [i, j] = metrics[at];
    nodes[i][j] = bundles_of(timeline.nodes[i].metrics[j], start);
  });
  std::vector<Scaled> all;
  for (const auto& [i, j] : metrics) {
    const std::string_view unit = timeline.nodes[i].metrics[j].unit;
    Metric& metric = nodes[i][j];
    all.push_back({&metric.whole.series.front(), unit, kNodePercent});
    if (!metric.devices) continue;
    for (Series& series : metric.devices->series)
      all.push_back({&series, unit, percent});
  }
  parallel_for(all.size(), [&](std::size_t at) {
    all[at].series->scale = scale_for(all[at].series->values, all[at].unit, all[at].percent);
  });
  parallel_for(steps.size(), [&](std::size_t i) {
    StepColumns& columns = step_columns_[i];
    for (const result::StepMark& step : timeline.steps[i].steps) {
      columns.starts.push_back(step.start);
      columns.seconds.push_back(static_cast<float>(in_seconds(step.duration)));
    }
    steps[i] = {Group::steps,
                columns.starts,
                scale_for_times(columns.starts, start, kPartOfStep),
                {{columns.seconds, scale_for_durations(columns.seconds)}}};
  });
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

namespace {

PackedArray pack_times(const Bundle& bundle, Microseconds start, std::size_t every) {
  return every == 1 ? packed(quantized(bundle.times, start, bundle.time_scale), bundle.time_scale)
                    : packed(quantized(thinned(bundle.times, every), start, bundle.time_scale),
                             bundle.time_scale);
}

PackedSeries pack_series(const Series& series, std::size_t every) {
  const auto pack = [&](std::span<const float> values) {
    return packed(quantized(values, series.scale), series.scale);
  };
  if (every == 1) return {pack(series.values), {}, {}};
  const Thinned points = thinned(series.values, every);
  return {pack(points.mean), pack(points.min), pack(points.max)};
}

SeriesPlace add_series(PackedArrays& block, const PackedSeries& series) {
  SeriesPlace place{block.add(series.mean), {}, {}};
  if (series.min) place.min = block.add(*series.min);
  if (series.max) place.max = block.add(*series.max);
  return place;
}

} // namespace

std::vector<PackedBundle> pack_bundles(std::span<const Bundle* const> bundles, Microseconds start,
                                       const Levels& levels) {
  constexpr std::size_t kTimes = SIZE_MAX;
  std::vector<PackedBundle> out(bundles.size());
  std::vector<std::pair<std::size_t, std::size_t>> arrays; // bundle, series or kTimes
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    out[i].every = levels[static_cast<std::size_t>(bundles[i]->group)];
    out[i].series.resize(bundles[i]->series.size());
    arrays.emplace_back(i, kTimes);
    for (std::size_t j = 0; j < out[i].series.size(); ++j)
      arrays.emplace_back(i, j);
  }
  parallel_for(arrays.size(), [&](std::size_t at) {
    const auto [i, j] = arrays[at];
    if (j == kTimes)
      out[i].times = pack_times(*bundles[i], start, out[i].every);
    else
      out[i].series[j] = pack_series(bundles[i]->series[j], out[i].every);
  });
  return out;
}

BundlePlace add_bundle(PackedArrays& block, const PackedBundle& bundle) {
  BundlePlace place{bundle.every, block.add(bundle.times), {}};
  for (const PackedSeries& series : bundle.series)
    place.series.push_back(add_series(block, series));
  return place;
}

namespace {

/// So many points of a group are deflated to predict the size of all.
constexpr std::size_t kTriedPoints = 150'000;

/// What an array takes in the index: "[1234567,14400,2,1,0.01],".
constexpr double kBytesInIndex = 26;

/// Points that a series keeps while another group can still give way.
constexpr std::array<std::size_t, 3> kFloors = {500, 30, 1};

/// Deflates every so many-th of some parts and gives the size of all of them.
class Trial {
public:
  explicit Trial(std::size_t all_points)
      : all_(all_points)
      , stride_(std::max<std::size_t>(1, all_points / kTriedPoints)) {}

  template <typename Add>
  void part(std::size_t points, const Add& add) {
    if (seen_++ % stride_ != 0) return;
    tried_ += points;
    add(block_);
  }

  double size() const {
    if (tried_ == 0) return 0;
    return static_cast<double>(base64_size(deflated(block_.bytes(), Content::samples).size())) *
           static_cast<double>(all_) / static_cast<double>(tried_);
  }

private:
  std::size_t all_;
  std::size_t stride_;
  std::size_t seen_ = 0;
  std::size_t tried_ = 0;
  PackedArrays block_;
};

/// Mean, least and greatest of two samples are more than the two samples.
std::size_t thinner(std::size_t level) {
  return level == 1 ? 4 : 2 * level;
}

std::size_t points_of(const Bundle& bundle, std::size_t every) {
  return (bundle.times.size() + every - 1) / every;
}

bool same_times(const Bundle* a, const Bundle* b) {
  return a != nullptr &&
         std::equal(a->times.begin(), a->times.end(), b->times.begin(), b->times.end());
}

} // namespace

Plan::Plan(const Bundles& bundles)
    : bundles_(bundles) {
  for (std::size_t group = 0; group < kGroups; ++group) {
    groups_[group] = bundles.of(static_cast<Group>(group));
    for (const Bundle* bundle : groups_[group])
      longest_[group] = std::max(longest_[group], bundle->times.size());
  }
  std::vector<Try> asked;
  for (std::size_t group = 0; group < kGroups; ++group)
    asked.emplace_back(group, 1);
  ask_on(asked, 0, thinner(1));
  try_all(asked);
  for (std::size_t group = 0; group < kGroups; ++group)
    sizes_[group] = tried_.at({group, 1});
}

void Plan::ask_on(std::vector<Try>& asked, std::size_t group, std::size_t every) const {
  const std::size_t fewest = longest_[group] / every > kFloors.front() ? kFloors.front() : 1;
  for (; asked.size() < usable_cores() && 2 * longest_[group] / every > fewest; every *= 2)
    if (!tried_.contains({group, every})) asked.emplace_back(group, every);
}

void Plan::try_all(const std::vector<Try>& asked) {
  std::vector<double> sizes(asked.size());
  parallel_for(asked.size(),
               [&](std::size_t i) { sizes[i] = predicted(asked[i].first, asked[i].second); });
  for (std::size_t i = 0; i < asked.size(); ++i)
    tried_[asked[i]] = sizes[i];
}

double Plan::size_at(std::size_t group, std::size_t every) {
  if (const auto known = tried_.find({group, every}); known != tried_.end()) return known->second;
  // What comes next is likely to be asked for, too, and cores that have nothing to do cost nothing.
  std::vector<Try> asked = {{group, every}};
  ask_on(asked, group, 2 * every);
  for (std::size_t next = group + 1; next < kGroups; ++next)
    ask_on(asked, next, thinner(levels_[next]));
  try_all(asked);
  return tried_.at({group, every});
}

double Plan::predicted(std::size_t group, std::size_t every) const {
  std::size_t values = 0;
  std::size_t times = 0;
  std::size_t arrays = 0;
  const Bundle* last = nullptr;
  for (const Bundle* bundle : groups_[group]) {
    values += points_of(*bundle, every) * bundle->series.size();
    if (!same_times(last, bundle)) times += points_of(*bundle, every);
    arrays += 1 + bundle->series.size() * (every > 1 ? 3 : 1);
    last = bundle;
  }
  Trial trial_of_values{values};
  Trial trial_of_times{times};
  last = nullptr;
  for (const Bundle* bundle : groups_[group]) {
    const std::size_t points = points_of(*bundle, every);
    if (!same_times(last, bundle))
      trial_of_times.part(points, [&](PackedArrays& block) {
        block.add(pack_times(*bundle, bundles_.start, every));
      });
    for (const Series& series : bundle->series)
      trial_of_values.part(
          points, [&](PackedArrays& block) { add_series(block, pack_series(series, every)); });
    last = bundle;
  }
  return trial_of_values.size() + trial_of_times.size() +
         kBytesInIndex * static_cast<double>(arrays);
}

double Plan::total() const {
  double sum = 0;
  for (const double size : sizes_)
    sum += size;
  return sum;
}

std::size_t Plan::points(std::size_t group) const {
  return (longest_[group] + levels_[group] - 1) / levels_[group];
}

bool Plan::exhausted() const {
  for (std::size_t group = 0; group < kGroups; ++group)
    if (points(group) > 1 && !incompressible_[group]) return false;
  return true;
}

void Plan::thin(std::size_t group) {
  const auto level = levels_[group];
  const double size = sizes_[group];
  do {
    levels_[group] = thinner(levels_[group]);
    sizes_[group] = size_at(group, levels_[group]);
  } while (sizes_[group] >= size && points(group) > 1);
  if (sizes_[group] < size) return;
  levels_[group] = level;
  sizes_[group] = size;
  incompressible_[group] = true;
}

void Plan::fit(double bytes) {
  // Where there is no room at all, giving up samples cannot make any.
  const std::size_t floors = bytes > 0 ? kFloors.size() : 1;
  for (std::size_t at = 0; at < floors; ++at)
    for (std::size_t group = 0; group < kGroups; ++group)
      while (total() > bytes && points(group) > kFloors[at] && !incompressible_[group])
        thin(group);
}

} // namespace debrief::embed
