// What PyTorch traces say: how busy GPUs were in the profiled steps, and their memory.
#include "compare/figures/parts.h"

#include <fmt/format.h>

namespace debrief::compare {

namespace {

using nlohmann::json;

constexpr Better kHigher = Better::higher;
constexpr Better kLower = Better::lower;

std::string gpu_place(const json& row) {
  const auto device = number_at(row, "device");
  return fmt::format("{}/gpu{}", text_at(row, "process"), device.value_or(0));
}

void collect_memory(const json& traces, Collector& out) {
  for (const json* row : rows_at(traces, "memory")) {
    const std::string device = text_at(*row, "device");
    constexpr std::string_view kGpu = "GPU ";
    if (!device.starts_with(kGpu)) continue;
    const std::string place =
        fmt::format("{}/gpu{}", text_at(*row, "process"), device.substr(kGpu.size()));
    out.add("traces.peak_memory", number_at(*row, "peak_allocated"), place);
    out.add("traces.peak_reserved", number_at(*row, "peak_reserved"), place);
    out.add("traces.memory_growth", number_at(*row, "growth_per_step"), place);
  }
}

} // namespace

void declare_traces(std::vector<Declaration>& out) {
  const auto declare = [&](const char* name, const char* label, const char* unit, Better better,
                           Group group = Group::traces) {
    out.push_back({std::string{"traces."} + name, label, unit, better, group});
  };
  declare("gpu_busy_percent", "GPU busy in profiled steps", "%", kHigher);
  declare("host_wait_percent", "GPU idle for want of a launch", "%", kLower);
  declare("sm_efficiency_percent", "Efficiency of multiprocessors", "%", kHigher);
  declare("occupancy_percent", "Occupancy of multiprocessors", "%", kHigher);
  declare("tensor_core_percent", "GPU time in tensor cores", "%", kHigher);
  declare("communication_exposed_percent", "Communication that nothing hides", "%", kLower);
  declare("overlap_percent", "Communication hidden by computing", "%", kHigher);
  declare("peak_memory", "GPU memory allocated, most", "B", kLower, Group::memory);
  declare("peak_reserved", "GPU memory reserved, most", "B", kLower, Group::memory);
  declare("memory_growth", "GPU memory, growth per step", "B", kLower, Group::memory);
}

void collect_traces(const json& document, Collector& out) {
  const json& traces = at(document, "traces");
  for (const json* row : rows_at(traces, "gpus")) {
    const std::string place = gpu_place(*row);
    const auto profiled = number_at(*row, "profiled_us");
    out.add("traces.gpu_busy_percent", percent_of(number_at(*row, "busy_us"), profiled), place);
    out.add("traces.host_wait_percent", percent_of(number_at(*row, "host_wait_us"), profiled),
            place);
    out.add("traces.sm_efficiency_percent", number_at(*row, "sm_efficiency"), place);
    out.add("traces.occupancy_percent", number_at(*row, "occupancy"), place);
  }
  const json& operators = at(traces, "operators");
  out.add("traces.tensor_core_percent", percent_of(number_at(operators, "tensor_core_us"),
                                                   number_at(operators, "device_self_us")));
  for (const json* row : rows_at(at(traces, "communication"), "overlap")) {
    const std::string process = text_at(*row, "process");
    out.add("traces.communication_exposed_percent",
            percent_of(number_at(*row, "exposed_us"), number_at(*row, "profiled_us")), process);
    out.add("traces.overlap_percent", number_at(*row, "overlap_percent"), process);
  }
  collect_memory(traces, out);
}

} // namespace debrief::compare
