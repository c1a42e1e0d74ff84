// What PyTorch traces say: how busy GPUs were in the profiled steps, and their memory.
#include "compare/figures.h"
#include "result/step_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

namespace debrief::compare {

namespace {

constexpr Better kHigher = Better::higher;
constexpr Better kLower = Better::lower;

template <typename Gpu>
std::string gpu_place(std::string_view process, Gpu gpu) {
  return fmt::format("{}/gpu{}", process, gpu);
}

/// Documents of before have no copies.
double working_us(const result::GpuActivity& row) {
  return std::isnan(row.copy_alone_us) ? row.busy_us : row.working_us();
}

/// Shares of the profiled time, which the profiler itself makes longer.
void collect_shares(const result::Traces& traces, Collector& out) {
  for (const result::GpuActivity& row : traces.gpus) {
    const std::string place = gpu_place(row.process, row.device);
    out.add_derived("traces.gpu_busy_percent", percent_of(working_us(row), row.profiled_us), place);
    out.add_derived("traces.host_wait_percent", percent_of(row.host_wait_us, row.profiled_us),
                    place);
    out.add("traces.sm_efficiency_percent", row.sm_efficiency, place);
  }
  for (const result::OverlapRow& row : traces.communication.overlap) {
    out.add_derived("traces.communication_exposed_percent",
                    percent_of(row.exposed_us, row.profiled_us), row.process);
    out.add("traces.overlap_percent", row.overlap_percent, row.process);
  }
}

void collect_memory(const result::Traces& traces, Collector& out) {
  for (const result::DeviceMemory& row : traces.memory) {
    constexpr std::string_view kGpu = "GPU ";
    if (!row.device.starts_with(kGpu)) continue;
    const std::string place =
        gpu_place(row.process, std::string_view{row.device}.substr(kGpu.size()));
    out.add("traces.peak_memory", static_cast<double>(row.peak_allocated), place);
    out.add("traces.peak_reserved", static_cast<double>(row.peak_reserved), place);
    out.add("traces.memory_growth", row.growth_per_step, place);
  }
}

} // namespace

void declare_traces(std::vector<Declaration>& out) {
  const auto declare = [&](const char* name, const char* label, const char* unit, Better better,
                           Group group = Group::traces) {
    out.push_back({std::string{"traces."} + name, label, unit, better, group});
  };
  declare("gpu_busy_percent", "GPU busy in profiled steps", "%", kHigher);
  declare("host_wait_percent", "GPU idle, waiting on launch", "%", kLower);
  declare("sm_efficiency_percent", "SM efficiency", "%", kHigher);
  declare("occupancy_percent", "SM occupancy", "%", kHigher);
  declare("tensor_core_percent", "GPU time on tensor cores", "%", kHigher);
  declare("flops_utilization_percent", "Model FLOPs utilization", "%", kHigher);
  declare("communication_exposed_percent", "Exposed communication", "%", kLower);
  declare("overlap_percent", "Overlapped communication", "%", kHigher);
  declare("peak_memory", "GPU memory allocated, max", "B", kLower, Group::memory);
  declare("peak_reserved", "GPU memory reserved, max", "B", kLower, Group::memory);
  declare("memory_growth", "GPU memory, growth per step", "B", kLower, Group::memory);
}

bool is_share_of_profiled_time(std::string_view name) {
  constexpr std::array<std::string_view, 5> kShares = {
      "traces.gpu_busy_percent", "traces.host_wait_percent", "traces.sm_efficiency_percent",
      "traces.communication_exposed_percent", "traces.overlap_percent"};
  return std::find(kShares.begin(), kShares.end(), without_place(name)) != kShares.end();
}

void collect_traces(const result::Result& result, Collector& out) {
  const result::Traces& traces = result.traces;
  const result::TraceOperators& operators = traces.operators;
  for (const result::GpuActivity& row : traces.gpus)
    out.add("traces.occupancy_percent", row.occupancy, gpu_place(row.process, row.device));
  out.add_derived("traces.tensor_core_percent",
                  percent_of(operators.tensor_core_us, operators.device_self_us));
  out.add("traces.flops_utilization_percent", flops_utilization(result));
  if (!is_profile_distorted(result)) collect_shares(traces, out);
  collect_memory(traces, out);
}

} // namespace debrief::compare
