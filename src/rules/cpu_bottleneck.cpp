// CPUBottleneck: are GPUs idle because a core of their node is saturated?
#include "rules/bottleneck.h"
#include "rules/declarations.h"

namespace debrief::rules {

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
  return {
      {"CPUBottleneck",
       RuleInputKind::system_metrics,
       "Looks for moments at which a GPU is nearly idle while a core of the same node is "
       "saturated, and triggers where these are a large part of all moments.",
       "Give the CPU less to do or more hands: more data-loader workers, work moved to the GPU, "
       "prepared data, or an instance with more cores per GPU.",
       {percent_parameter("threshold", "50", "Share of moments that must be bottlenecks"),
        percent_parameter("cpu_threshold", "90", "CPU utilization above which a core is saturated"),
        percent_parameter("gpu_threshold", "10", "GPU utilization below which a GPU is idle"),
        patience_parameter()}},
      evaluate_cpu_bottleneck};
}

} // namespace debrief::rules
