#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

json trace_work_operator_json(const TraceOperator& row) {
  return {{"name", row.name},
          {"shapes", text_or_null(row.shapes)},
          {"calls", row.calls},
          {"host_total_us", number(row.host_total_us)},
          {"host_self_us", number(row.host_self_us)},
          {"device_total_us", number(row.device_total_us)},
          {"device_self_us", number(row.device_self_us)},
          {"tensor_core_eligible", row.tensor_core_eligible},
          {"tensor_core_us", number(row.tensor_core_us)}};
}

json kernel_json(const KernelRow& row) {
  return {{"name", row.name},
          {"short_name", row.short_name},
          {"op", text_or_null(row.op)},
          {"calls", row.calls},
          {"total_us", number(row.total_us)},
          {"mean_us", number(row.mean_us)},
          {"min_us", number(row.min_us)},
          {"max_us", number(row.max_us)},
          {"percent", number(row.percent)},
          {"grid", text_or_null(row.grid)},
          {"block", text_or_null(row.block)},
          {"launch_shapes", row.launch_shapes},
          {"occupancy", number(row.occupancy)},
          {"blocks_per_sm", number(row.blocks_per_sm)},
          {"streams", row.streams},
          {"precision", row.precision},
          {"tensor_cores", row.tensor_cores},
          {"communication", row.communication}};
}

json precision_json(const PrecisionShare& row) {
  return {{"precision", row.precision},
          {"calls", row.calls},
          {"us", number(row.us)},
          {"percent", number(row.percent)}};
}

} // namespace

json trace_operators_json(const TraceOperators& operators) {
  return {{"by_name", list(operators.by_name, trace_work_operator_json)},
          {"by_shapes", list(operators.by_shapes, trace_work_operator_json)},
          {"names", operators.names},
          {"names_and_shapes", operators.names_and_shapes},
          {"calls", operators.calls},
          {"host_total_us", number(operators.host_total_us)},
          {"host_self_us", number(operators.host_self_us)},
          {"device_self_us", number(operators.device_self_us)},
          {"backward_calls", operators.backward_calls},
          {"backward_host_us", number(operators.backward_host_us)},
          {"eligible_device_us", number(operators.eligible_device_us)},
          {"tensor_core_us", number(operators.tensor_core_us)}};
}

json kernels_json(const Kernels& kernels) {
  return {{"rows", list(kernels.rows, kernel_json)},
          {"names", kernels.names},
          {"calls", kernels.calls},
          {"total_us", number(kernels.total_us)},
          {"precision", list(kernels.precision, precision_json)}};
}

json gpu_activity_json(const GpuActivity& gpu) {
  return {{"process", gpu.process},
          {"device", gpu.device},
          {"gpu", text_or_null(gpu.gpu)},
          {"profiled_us", number(gpu.profiled_us)},
          {"busy_us", number(gpu.busy_us)},
          {"kernel_us", number(gpu.kernel_us)},
          {"communication_us", number(gpu.communication_us)},
          {"memory_us", number(gpu.memory_us)},
          {"streams", gpu.streams},
          {"sm_efficiency", number(gpu.sm_efficiency)},
          {"occupancy", number(gpu.occupancy)},
          {"idle_us", number(gpu.idle_us)},
          {"host_wait_us", number(gpu.host_wait_us)},
          {"kernel_wait_us", number(gpu.kernel_wait_us)},
          {"other_wait_us", number(gpu.other_wait_us)}};
}

json copy_json(const CopyRow& row) {
  return {{"process", row.process},
          {"direction", row.direction},
          {"memory", text_or_null(row.memory)},
          {"calls", row.calls},
          {"us", number(row.us)},
          {"bytes", or_null(row.bytes)},
          {"bandwidth", number(row.bandwidth)}};
}

json launches_json(const LaunchStats& row) {
  return {{"process", row.process},
          {"launches", row.launches},
          {"launch_p50_us", number(row.launch_p50_us)},
          {"launch_p95_us", number(row.launch_p95_us)},
          {"delay_p50_us", number(row.delay_p50_us)},
          {"delay_p95_us", number(row.delay_p95_us)},
          {"delay_max_us", number(row.delay_max_us)},
          {"short_kernels", row.short_kernels},
          {"queue_max", row.queue_max},
          {"without_launch", row.without_launch}};
}

json sync_json(const SyncRow& row) {
  return {{"process", row.process},           {"call", row.call},   {"op", text_or_null(row.op)},
          {"outer", text_or_null(row.outer)}, {"calls", row.calls}, {"us", number(row.us)}};
}

} // namespace debrief::result::parts
