// BatchSize: would a larger batch fit?
//
// At the end of each scan window, over the last `window` samples: where the 95th percentiles of a
// node's CPU, of a GPU and of its memory are all below their thresholds, the batch is too small.
#include "aggregate/node_series.h"
#include "aggregate/statistics.h"
#include "aggregate/usage.h"
#include "rules/details.h"
#include "rules/rule.h"
#include "rules/scan_windows.h"
#include "util/parallel.h"

#include <array>

namespace debrief::rules {

namespace {

struct Limits {
  double cpu = 0;
  double gpu = 0;
  double memory = 0;
  std::size_t window = 0;
  std::size_t patience = 0;
};

double p95_of_last(std::span<const double> values, std::size_t window) {
  constexpr std::array kShare = {0.95};
  const auto last = values.last(std::min(values.size(), window));
  std::vector<double> copy(last.begin(), last.end());
  return aggregate::quantiles(copy, kShare).front();
}

nlohmann::ordered_json box_json(std::span<const double> values) {
  return with_box(nlohmann::ordered_json::object(), aggregate::box_of(values));
}

/// How many of the series' samples come before `end`.
std::size_t seen_before(std::span<const Microseconds> times, Microseconds end) {
  return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), end) -
                                  times.begin());
}

/// Windows in which a GPU, or a node's CPU, was underused.
struct UnderusedWindows {
  std::int64_t count = 0;
  std::int64_t first_window = 0;
  std::int64_t last_window = 0;
  std::size_t seen = 0;

  void found(std::int64_t window, std::size_t samples) {
    if (count++ == 0) first_window = window;
    last_window = window;
    seen = samples;
  }
};

class NodeExamination {
public:
  /// `cpu` is the node's; null if it has none.
  NodeExamination(const aggregate::NodeDevices& node, const aggregate::NodeMetricSeries* cpu,
                  const Limits& limits, const ScanWindows& windows)
      : node_(node)
      , limits_(limits)
      , windows_(windows)
      , underused_(node.gpus.size()) {
    if (cpu == nullptr) return;
    cpu_times_ = cpu->times;
    cpu_values_ = cpu->combined;
  }

  std::size_t samples() const { return cpu_values_.size(); }

  /// Of the GPU that is longest known together with its memory; 0 where there is none.
  std::size_t gpu_samples() const {
    std::size_t longest = 0;
    for (const job::MetricSeries* gpu : node_.gpus)
      if (const job::MetricSeries* memory = node_.memory_of(*gpu))
        longest = std::max(longest, std::min(gpu->size(), memory->size()));
    return longest;
  }

  void run(DeviceFindings& findings) {
    windows_.for_each(cpu_times_, [&](std::int64_t window, std::size_t seen) {
      if (seen <= limits_.patience || seen <= limits_.window) return;
      if (p95_of_last(cpu_values_.first(seen), limits_.window) >= limits_.cpu) return;
      for (std::size_t i = 0; i < node_.gpus.size(); ++i)
        if (const auto span = underused(*node_.gpus[i], window)) {
          findings.incidents.add(node_.node, node_.gpus[i]->device, span->first);
          underused_[i].found(window, span->second);
          cpu_underused_.found(window, seen);
        }
    });
  }

  void report(DeviceFindings& findings) const {
    DeviceDetails& details = findings.details;
    for (std::size_t i = 0; i < node_.gpus.size(); ++i) {
      findings.triggered += underused_[i].count;
      findings.devices.push_back({node_.node,
                                  node_.gpus[i]->device,
                                  {{"windows", static_cast<double>(underused_[i].count)}}});
    }
    if (cpu_underused_.count == 0) return;
    details.add(node_.node, "cpu", cpu_underused_.first_window,
                windows_.start(cpu_underused_.last_window),
                box_json(cpu_values_.first(cpu_underused_.seen)));
    for (std::size_t i = 0; i < node_.gpus.size(); ++i) {
      const UnderusedWindows& found = underused_[i];
      if (found.count == 0) continue;
      const job::MetricSeries& gpu = *node_.gpus[i];
      const job::MetricSeries& memory = *node_.memory_of(gpu);
      const Microseconds start = windows_.start(found.last_window);
      const std::size_t of_memory =
          seen_before(memory.time_span(), windows_.start(found.last_window + 1));
      details.add(node_.node, gpu.device, found.first_window, start,
                  box_json(gpu.value_span().first(found.seen)));
      details.add(node_.node, gpu.device + "_memory", found.first_window, start,
                  box_json(memory.value_span().first(of_memory)));
    }
  }

private:
  /// The stretch that the look covers, and the samples seen; nothing where the GPU is used enough,
  /// or too little is known of it.
  std::optional<std::pair<TimeSpan, std::size_t>> underused(const job::MetricSeries& gpu,
                                                            std::int64_t window) const {
    const job::MetricSeries* memory = node_.memory_of(gpu);
    if (memory == nullptr) return std::nullopt;
    const Microseconds end = windows_.start(window + 1);
    const std::size_t seen = seen_before(gpu.time_span(), end);
    const std::size_t of_memory = seen_before(memory->time_span(), end);
    if (seen <= limits_.window || of_memory <= limits_.window) return std::nullopt;
    const bool low =
        p95_of_last(gpu.value_span().first(seen), limits_.window) < limits_.gpu &&
        p95_of_last(memory->value_span().first(of_memory), limits_.window) < limits_.memory;
    if (!low) return std::nullopt;
    return std::pair{TimeSpan{gpu.time_span()[seen - limits_.window], gpu.time_span()[seen - 1]},
                     seen};
  }

  const aggregate::NodeDevices& node_;
  Limits limits_;
  ScanWindows windows_;
  std::span<const Microseconds> cpu_times_;
  std::span<const double> cpu_values_;
  std::vector<UnderusedWindows> underused_; ///< by GPU
  UnderusedWindows cpu_underused_;
};

/// The most samples of the nodes, to tell whether the rule could look at any of them.
struct Seen {
  bool cpu = false;
  bool gpu = false;
  std::size_t cpu_together = 0; ///< of a node that has both
  std::size_t gpu_together = 0;

  void include(std::size_t cpu_samples, std::size_t gpu_samples) {
    cpu |= cpu_samples > 0;
    gpu |= gpu_samples > 0;
    if (cpu_samples == 0 || gpu_samples == 0) return;
    cpu_together = std::max(cpu_together, cpu_samples);
    gpu_together = std::max(gpu_together, gpu_samples);
  }
};

void judge(const Seen& seen, const Limits& limits, RuleOutcome& outcome) {
  judge_samples(outcome, seen.gpu ? "CPU utilization" : "GPU utilization and memory",
                seen.cpu_together, limits.patience, limits.window);
  if (seen.cpu && seen.gpu && seen.cpu_together == 0)
    outcome.reason = "no node recorded both CPU utilization and GPU utilization and memory";
  if (outcome.status != result::RuleStatus::not_evaluated)
    judge_samples(outcome, "GPU utilization and memory", seen.gpu_together, 0, limits.window);
}

RuleOutcome evaluate_batch_size(const RuleInput& input, const ParameterValues& parameters) {
  const Limits limits{parameters.number("cpu_threshold_p95"),
                      parameters.number("gpu_threshold_p95"),
                      parameters.number("gpu_memory_threshold_p95"), parameters.count("window"),
                      parameters.count("patience")};
  const auto windows =
      scan_windows(input.job, static_cast<Microseconds>(parameters.number("scan_interval_us")));
  RuleOutcome outcome;
  if (!windows) { // nothing was sampled
    judge({}, limits, outcome);
    return outcome;
  }
  const std::vector<aggregate::NodeDevices> nodes = aggregate::devices_by_node(input.job);
  std::vector<NodeExamination> examinations;
  for (const aggregate::NodeDevices& node : nodes) {
    const aggregate::NodeSeries* series = aggregate::find_node(input.series, node.node);
    examinations.emplace_back(node, series == nullptr ? nullptr : series->find(result::Metric::cpu),
                              limits, *windows);
  }
  std::vector<DeviceFindings> found(nodes.size(), DeviceFindings{*windows});
  parallel_for(nodes.size(), [&](std::size_t i) {
    if (nodes[i].cores.empty()) return;
    examinations[i].run(found[i]);
    examinations[i].report(found[i]);
  });

  Seen seen;
  DeviceFindings all{*windows};
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    seen.include(examinations[i].samples(), examinations[i].gpu_samples());
    all.append(std::move(found[i]));
    if (!nodes[i].cores.empty())
      outcome.datapoints = static_cast<std::int64_t>(examinations[i].samples());
  }
  std::move(all).move_to(outcome);
  judge(seen, limits, outcome);
  return outcome;
}

} // namespace

Rule batch_size_rule() {
  return {
      {"BatchSize",
       RuleGroup::profiler,
       RuleInputKind::system_metrics,
       "Finds batches that are too small for the machine: CPU, GPU and GPU memory are all "
       "underused at the same time.",
       "Raise the batch size while memory allows (and the learning rate with it), or train on a "
       "smaller instance.",
       {percent_parameter("cpu_threshold_p95", "70",
                          "A node with a CPU utilization p95 below this is underused"),
        percent_parameter("gpu_threshold_p95", "70",
                          "A GPU with a utilization p95 below this is underused"),
        percent_parameter("gpu_memory_threshold_p95", "70",
                          "A GPU with a memory utilization p95 below this is underused"),
        patience_parameter(), window_parameter("500", "Window size in samples")}},
      evaluate_batch_size};
}

} // namespace debrief::rules
