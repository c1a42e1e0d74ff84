// IOBottleneck: are GPUs idle because a core of their node waits for I/O?
#include "rules/bottleneck.h"
#include "rules/declarations.h"

namespace debrief::rules {

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
  return {
      {"IOBottleneck",
       RuleInputKind::system_metrics,
       "Looks for moments at which a GPU is nearly idle while a core of the same node waits for "
       "I/O, and triggers where these are a large part of all moments.",
       "Prefetch and cache data, use fewer and larger files or a faster file system, and write "
       "checkpoints in the background.",
       {percent_parameter("threshold", "50", "Share of moments that must be bottlenecks"),
        percent_parameter("io_threshold", "50", "I/O wait above which a core waits"),
        percent_parameter("gpu_threshold", "10", "GPU utilization below which a GPU is idle"),
        patience_parameter()}},
      evaluate_io_bottleneck};
}

} // namespace debrief::rules
