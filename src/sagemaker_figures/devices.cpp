#include "job/metrics.h"
#include "sagemaker_figures/details.h"
#include "sagemaker_figures/figures.h"
#include "util/text.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace debrief::sagemaker_figures {

namespace {

using nlohmann::json;
using result::DeviceRow;

struct ByNodeAndDevice {
  bool operator()(const std::pair<std::string, std::string>& a,
                  const std::pair<std::string, std::string>& b) const {
    return a.first != b.first ? natural_less(a.first, b.first) : natural_less(a.second, b.second);
  }
};

/// Rows of one metric by node and device.
using Rows = std::map<std::pair<std::string, std::string>, DeviceRow, ByNodeAndDevice>;

DeviceRow& row_in(Rows& rows, const std::string& node, const std::string& device,
                  result::Metric metric) {
  DeviceRow& row = rows[{node, device}];
  row.node = node;
  row.device = device;
  row.metric = metric;
  return row;
}

void read_box(const json& figures, DeviceRow& row) {
  for (const auto& [name, into] : {std::pair{"p05", &row.p05},
                                   {"p25", &row.p25},
                                   {"p50", &row.p50},
                                   {"p75", &row.p75},
                                   {"p95", &row.p95},
                                   {"gpu_max", &row.max},
                                   {"lower", &row.lower},
                                   {"upper", &row.upper}})
    if (const auto value = number_in(figures, name); value && !*into) *into = value;
  // SageMaker's whiskers of GPU memory mix two series up and can lie inside the box.
  if (row.lower && row.p25 && *row.lower > *row.p25) row.lower.reset();
  if (row.upper && row.p75 && *row.upper < *row.p75) row.upper.reset();
}

/// Calls `read(node, device, figures)` for every entry of {node: {device: figures}}.
template <typename Read>
void for_each_device(const job::RuleOutput* output, const Read& read) {
  if (output == nullptr) return;
  const json details = output->details();
  for (const auto& [node, devices] : details.items())
    if (devices.is_object())
      for (const auto& [device, figures] : devices.items())
        if (figures.is_object()) read(node, device, figures);
}

constexpr std::size_t kSageMakerBins = 49;

void read_workloads(const job::RuleOutput* output, Rows& gpus) {
  for_each_device(output, [&](const std::string& node, const std::string& key, const json& lists) {
    if (key != "workloads") return;
    for (const auto& [gpu, counts] : lists.items()) {
      if (!counts.is_array() || counts.size() > 50) continue;
      result::Histogram histogram;
      for (const json& count : counts)
        if (const auto counted = as_count(count)) histogram.counts.push_back(*counted);
      if (histogram.counts.size() < counts.size()) continue;
      // SageMaker's bins end at 98: what it lost is above.
      if (counts.size() == kSageMakerBins)
        histogram.counts.push_back(
            std::max(output->datapoints - std::accumulate(histogram.counts.begin(),
                                                          histogram.counts.end(), std::int64_t{0}),
                     std::int64_t{0}));
      for (std::size_t i = 0; i <= histogram.counts.size(); ++i)
        histogram.edges.push_back(2.0 * static_cast<double>(i));
      DeviceRow& row = row_in(gpus, node, gpu, result::Metric::gpu);
      row.histogram = std::move(histogram);
      row.samples = output->datapoints;
    }
  });
}

} // namespace

std::vector<DeviceRow> recorded_devices(const job::Job& job) {
  Rows cpus;
  Rows gpus;
  Rows memories;
  read_workloads(find_recorded(job, "LoadBalancing"), gpus);
  for_each_device(find_recorded(job, "LowGPUUtilization"),
                  [&](const std::string& node, const std::string& gpu, const json& figures) {
                    read_box(figures, row_in(gpus, node, gpu, result::Metric::gpu));
                  });
  for_each_device(find_recorded(job, "GPUMemoryIncrease"),
                  [&](const std::string& node, const std::string& gpu, const json& figures) {
                    read_box(figures, row_in(memories, node, gpu, result::Metric::gpu_memory));
                  });
  constexpr std::string_view kMemory = "_memory";
  for_each_device(find_recorded(job, "BatchSize"),
                  [&](const std::string& node, const std::string& device, const json& figures) {
                    if (device == "cpu")
                      read_box(figures, row_in(cpus, node, device, result::Metric::cpu));
                    else if (device.ends_with(kMemory))
                      read_box(figures, row_in(memories, node,
                                               device.substr(0, device.size() - kMemory.size()),
                                               result::Metric::gpu_memory));
                    else
                      read_box(figures, row_in(gpus, node, device, result::Metric::gpu));
                  });
  std::vector<DeviceRow> rows;
  for (const Rows* list : {&cpus, &gpus, &memories})
    for (const auto& [key, row] : *list)
      rows.push_back(row);
  std::stable_sort(rows.begin(), rows.end(), [](const DeviceRow& a, const DeviceRow& b) {
    return natural_less(a.node, b.node);
  });
  return rows;
}

} // namespace debrief::sagemaker_figures
