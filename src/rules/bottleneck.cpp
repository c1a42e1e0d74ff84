#include "rules/bottleneck.h"

#include "aggregate/activity.h"
#include "aggregate/bottleneck_moments.h"
#include "rules/details.h"
#include "rules/rule.h"
#include "rules/scan_windows.h"
#include "util/parallel.h"
#include "util/python_float.h"
#include "util/sample_times.h"
#include "util/sort_runs.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::rules {

namespace {

using nlohmann::ordered_json;

/// Bottlenecks of one node as stretches: each lasts until the node's next moment, and a gap in the
/// recording is not part of it.
std::vector<TimeSpan> stretches(const std::vector<aggregate::BottleneckSample>& moments) {
  std::vector<Microseconds> times;
  times.reserve(moments.size());
  for (const aggregate::BottleneckSample& moment : moments)
    times.push_back(moment.time);
  const SampleIntervals intervals{times};
  std::vector<TimeSpan> spans;
  for (std::size_t i = 0; i < moments.size(); ++i)
    if (moments[i].is_bottleneck()) spans.push_back(intervals.after(i));
  return spans;
}

/// {"1678025719.500587": {"GPUs": 1, "CPUs": 2}, …}; keys are unique, moments of two nodes at the
/// same microsecond become one.
ordered_json bottlenecks_json(const std::vector<aggregate::BottleneckSample>& moments) {
  ordered_json out = ordered_json::object();
  // A plain list underneath: adding at its end spares the search for an equal key.
  auto& list =
      static_cast<ordered_json::object_t::Container&>(out.get_ref<ordered_json::object_t&>());
  const aggregate::BottleneckSample* last = nullptr;
  for (const aggregate::BottleneckSample& moment : moments) {
    if (!moment.is_bottleneck()) continue;
    ordered_json counts = {{"GPUs", moment.low_gpus}, {"CPUs", moment.high_cores}};
    if (last != nullptr && last->time == moment.time) {
      list.back().second["GPUs"] = list.back().second["GPUs"].get<int>() + moment.low_gpus;
      list.back().second["CPUs"] = list.back().second["CPUs"].get<int>() + moment.high_cores;
    } else {
      list.emplace_back(python_float(in_seconds(moment.time)), std::move(counts));
    }
    last = &moment;
  }
  return out;
}

struct Counts {
  std::int64_t all = 0;
  std::int64_t low = 0;
  std::int64_t bottlenecks = 0;
};

/// Scan windows at whose end the share of bottlenecks so far is above the limit.
std::int64_t windows_above(const std::vector<aggregate::BottleneckSample>& moments,
                           const ScanWindows& windows, const BottleneckLimits& limits,
                           Counts& counts) {
  std::int64_t triggered = 0;
  std::vector<Microseconds> times;
  times.reserve(moments.size());
  for (const aggregate::BottleneckSample& moment : moments)
    times.push_back(moment.time);
  std::size_t done = 0;
  windows.for_each(times, [&](std::int64_t, std::size_t seen) {
    for (; done < seen; ++done) {
      ++counts.all;
      counts.low += moments[done].low_gpus > 0 ? 1 : 0;
      counts.bottlenecks += moments[done].is_bottleneck() ? 1 : 0;
    }
    const bool above = 100.0 * static_cast<double>(counts.bottlenecks) >
                       limits.share * static_cast<double>(counts.all);
    if (static_cast<std::size_t>(counts.all) > limits.patience && above) ++triggered;
  });
  return triggered;
}

} // namespace

std::vector<result::DatapointPart> bottleneck_parts(std::int64_t all, std::int64_t low,
                                                    std::int64_t bottlenecks) {
  const auto part = [&](const char* name, std::int64_t count) {
    return result::DatapointPart{name, count,
                                 100 * static_cast<double>(count) / static_cast<double>(all)};
  };
  return {part("GPU above threshold", all - low),
          part("GPU below threshold, no bottleneck", low - bottlenecks),
          part("GPU below threshold, bottleneck", bottlenecks)};
}

RuleOutcome
find_bottlenecks(const RuleInput& input, const BottleneckLimits& limits,
                 std::vector<const job::MetricSeries*> aggregate::NodeDevices::*per_core,
                 const char* what_of_cores) {
  RuleOutcome outcome;
  IncidentList incidents;
  aggregate::ActivityWindows held;
  std::vector<aggregate::BottleneckSample> moments;
  bool gpus = false;
  bool cores = false;
  bool together = false;     // on one node
  std::int64_t complete = 0; // moments with a GPU and a core
  const std::vector<aggregate::NodeDevices> nodes = aggregate::devices_by_node(input.job);
  std::vector<std::vector<aggregate::BottleneckSample>> samples(nodes.size());
  parallel_for(nodes.size(), [&](std::size_t i) {
    samples[i] = aggregate::bottleneck_samples(nodes[i], nodes[i].*per_core, limits.gpu_below,
                                               limits.core_above);
  });
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const aggregate::NodeDevices& node = nodes[i];
    std::vector<aggregate::BottleneckSample>& own = samples[i];
    gpus |= !node.gpus.empty();
    cores |= !(node.*per_core).empty();
    together |= !node.gpus.empty() && !(node.*per_core).empty();
    // Nothing can be said of a GPU at a moment at which none was sampled.
    std::erase_if(own, [](const aggregate::BottleneckSample& moment) { return !moment.has_gpu; });
    complete +=
        std::count_if(own.begin(), own.end(),
                      [](const aggregate::BottleneckSample& moment) { return moment.has_core; });
    const auto spans = stretches(own);
    for (const TimeSpan& span : spans)
      incidents.add(node.node, "", span);
    if (!spans.empty()) held[node.node] = spans;
    moments.insert(moments.end(), own.begin(), own.end());
    own = {}; // they are many
  }
  sort_runs(moments.begin(), moments.end(),
            [](const aggregate::BottleneckSample& a, const aggregate::BottleneckSample& b) {
              return a.time < b.time;
            });
  Counts counts;
  if (const auto windows = scan_windows(input.job, limits.scan_interval))
    outcome.triggered = windows_above(moments, *windows, limits, counts);
  outcome.violations = counts.bottlenecks;
  outcome.datapoints = counts.all;
  outcome.details["low_gpu_utilization"] = counts.low;
  outcome.details["bottlenecks"] = bottlenecks_json(moments);

  judge_samples(outcome, gpus ? what_of_cores : "GPU utilization",
                together ? static_cast<std::size_t>(complete) : 0, limits.patience);
  if (together && complete == 0)
    outcome.reason =
        fmt::format("GPU utilization and {} were not sampled at the same time", what_of_cores);
  if (gpus && cores && !together)
    outcome.reason = fmt::format("no node recorded both GPU utilization and {}", what_of_cores);
  if (outcome.status == result::RuleStatus::not_evaluated) {
    outcome.triggered = 0;
    return outcome;
  }
  outcome.parts = bottleneck_parts(counts.all, counts.low, counts.bottlenecks);
  if (!held.empty())
    outcome.activity = aggregate::activity(input.job.events, input.kinds, input.steps, held,
                                           aggregate::ActivityScope::node);
  if (outcome.triggered == 0) return outcome;
  add_activity(outcome.details, outcome.activity);
  std::move(incidents).move_to(outcome);
  return outcome;
}

// CPUBottleneck: are GPUs idle because a core of their node is saturated?

namespace {

RuleOutcome evaluate_cpu_bottleneck(const RuleInput& input, const ParameterValues& parameters) {
  return find_bottlenecks(input,
                          {parameters.number("threshold"), parameters.number("cpu_threshold"),
                           parameters.number("gpu_threshold"), parameters.count("patience"),
                           static_cast<Microseconds>(parameters.number("scan_interval_us"))},
                          &aggregate::NodeDevices::cores, "CPU utilization");
}

} // namespace

Rule cpu_bottleneck_rule() {
  return {{"CPUBottleneck",
           RuleGroup::profiler,
           RuleInputKind::system_metrics,
           "Finds samples with a nearly idle GPU and a saturated core on the same node. It "
           "triggers if these are a large share of all samples.",
           "Reduce CPU work or add CPU capacity: more data-loader workers, preprocessed data, "
           "transforms on the GPU, or more cores per GPU.",
           {percent_parameter("threshold", "50", "Share of samples that must be bottlenecks"),
            percent_parameter("cpu_threshold", "90", "A core above this utilization is saturated"),
            percent_parameter("gpu_threshold", "10", "A GPU below this utilization is idle"),
            patience_parameter()}},
          evaluate_cpu_bottleneck};
}

// IOBottleneck: are GPUs idle because a core of their node waits for I/O?

namespace {

RuleOutcome evaluate_io_bottleneck(const RuleInput& input, const ParameterValues& parameters) {
  return find_bottlenecks(input,
                          {parameters.number("threshold"), parameters.number("io_threshold"),
                           parameters.number("gpu_threshold"), parameters.count("patience"),
                           static_cast<Microseconds>(parameters.number("scan_interval_us"))},
                          &aggregate::NodeDevices::io_wait, "I/O wait");
}

} // namespace

Rule io_bottleneck_rule() {
  return {{"IOBottleneck",
           RuleGroup::profiler,
           RuleInputKind::system_metrics,
           "Finds samples with a nearly idle GPU and a core waiting for I/O on the same node. It "
           "triggers if these are a large share of all samples.",
           "Prefetch and cache data, use fewer and larger files or a faster file system, and write "
           "checkpoints in the background.",
           {percent_parameter("threshold", "50", "Share of samples that must be bottlenecks"),
            percent_parameter("io_threshold", "50", "A core above this I/O wait is waiting"),
            percent_parameter("gpu_threshold", "10", "A GPU below this utilization is idle"),
            patience_parameter()}},
          evaluate_io_bottleneck};
}

} // namespace debrief::rules
