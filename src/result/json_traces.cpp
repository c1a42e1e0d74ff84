// What PyTorch traces say, as JSON.
#include "result/json_io.h"
#include "result/json_performance.h"
#include "result/json_step_paths.h"

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, TracedGpu> gpu) {
  io("id", gpu.id);
  io.text_or_null("name", gpu.name);
  io("memory", gpu.memory);
  io("multiprocessors", gpu.multiprocessors);
  io("compute_capability", gpu.compute_capability);
}

template <typename Io>
void describe(Io& io, Ref<Io, CategoryCount> row) {
  io("category", row.category);
  io("count", row.count);
}

template <typename Io>
void describe(Io& io, Ref<Io, TraceFile> file) {
  io("path", file.path);
  io("process", file.process);
  io.text_or_null("node", file.node);
  io("rank", file.rank);
  io("world_size", file.world_size);
  io.text_or_null("backend", file.backend);
  io("span", file.span);
  io("duration_us", file.duration_us);
  io("steps", file.steps);
  io("step_source", file.step_source);
  io("gpus", file.gpus);
  io("categories", file.categories);
  io("not_recorded", file.not_recorded);
}

template <typename Io>
void describe(Io& io, Ref<Io, StepPart> part) {
  io("part", part.part);
  io("us", part.us);
  io("percent", part.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, StepBreakdown> step) {
  io("process", step.process);
  io("number", step.number);
  io.time("start", step.start);
  io("us", step.us);
  io("gpu_busy_us", step.gpu_busy_us);
  io("parts", step.parts);
  io("phase", step.phase);
  io("tokens", step.tokens);
  io("waited_us", step.waited_us);
}

template <typename Io>
void describe(Io& io, Ref<Io, ProcessBreakdown> process) {
  io("process", process.process);
  io("steps", process.steps);
  io("us", process.us);
  io("gpu_busy_us", process.gpu_busy_us);
  io("parts", process.parts);
}

template <typename Io>
void describe(Io& io, Ref<Io, TraceOperator> row) {
  io("name", row.name);
  io.text_or_null("shapes", row.shapes);
  io("calls", row.calls);
  io("host_total_us", row.host_total_us);
  io("host_self_us", row.host_self_us);
  io("device_total_us", row.device_total_us);
  io("device_self_us", row.device_self_us);
  io("outside_operators", row.outside_operators);
  io("tensor_core_eligible", row.tensor_core_eligible);
  io("tensor_core_us", row.tensor_core_us);
  io("category", row.category);
}

template <typename Io>
void describe(Io& io, Ref<Io, CategoryShare> row) {
  io("category", row.category);
  io("calls", row.calls);
  io("us", row.us);
  io("percent", row.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, TraceOperators> operators) {
  io("by_name", operators.by_name);
  io("by_shapes", operators.by_shapes);
  io("names", operators.names);
  io("names_and_shapes", operators.names_and_shapes);
  io("calls", operators.calls);
  io("host_total_us", operators.host_total_us);
  io("host_self_us", operators.host_self_us);
  io("device_self_us", operators.device_self_us);
  io("backward_calls", operators.backward_calls);
  io("backward_host_us", operators.backward_host_us);
  io("eligible_device_us", operators.eligible_device_us);
  io("tensor_core_us", operators.tensor_core_us);
  io("tensor_core_unknown_us", operators.tensor_core_unknown_us);
  io("categories", operators.categories);
}

template <typename Io>
void describe(Io& io, Ref<Io, StreamId> id) {
  io("device", id.device);
  io("stream", id.stream);
}

template <typename Io>
void describe(Io& io, Ref<Io, KernelRow> row) {
  io("name", row.name);
  io("short_name", row.short_name);
  io.text_or_null("op", row.op);
  io("calls", row.calls);
  io("total_us", row.total_us);
  io("mean_us", row.mean_us);
  io("min_us", row.min_us);
  io("max_us", row.max_us);
  io("percent", row.percent);
  io("grid", row.grid);
  io("block", row.block);
  io("launch_shapes", row.launch_shapes);
  io("occupancy", row.occupancy);
  io("blocks_per_sm", row.blocks_per_sm);
  io("streams", row.streams);
  io("precision", row.precision);
  io("tensor_cores", row.tensor_cores);
  io("communication", row.communication);
  io("category", row.category);
}

template <typename Io>
void describe(Io& io, Ref<Io, PrecisionShare> row) {
  io("precision", row.precision);
  io("calls", row.calls);
  io("us", row.us);
  io("percent", row.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, Kernels> kernels) {
  io("rows", kernels.rows);
  io("names", kernels.names);
  io("calls", kernels.calls);
  io("total_us", kernels.total_us);
  io("precision", kernels.precision);
}

template <typename Io>
void describe(Io& io, Ref<Io, GpuActivity> gpu) {
  io("process", gpu.process);
  io("device", gpu.device);
  io.text_or_null("gpu", gpu.gpu);
  io("profiled_us", gpu.profiled_us);
  io("busy_us", gpu.busy_us);
  io("kernel_us", gpu.kernel_us);
  io("communication_us", gpu.communication_us);
  io("memory_us", gpu.memory_us);
  io("copy_us", gpu.copy_us);
  io("copy_alone_us", gpu.copy_alone_us);
  io("streams", gpu.streams);
  io("sm_efficiency", gpu.sm_efficiency);
  io("occupancy", gpu.occupancy);
  io("idle_us", gpu.idle_us);
  io("host_wait_us", gpu.host_wait_us);
  io("kernel_wait_us", gpu.kernel_wait_us);
  io("other_wait_us", gpu.other_wait_us);
  io("setup_wait_us", gpu.setup_wait_us);
  io("copy_wait_us", gpu.copy_wait_us);
  io("host_sync_us", gpu.host_sync_us);
  io("outside_wait_us", gpu.outside_wait_us);
}

template <typename Io>
void describe(Io& io, Ref<Io, CopyRow> row) {
  io("process", row.process);
  io("direction", row.direction);
  io.text_or_null("memory", row.memory);
  io("calls", row.calls);
  io("us", row.us);
  io("bytes", row.bytes);
  io("bandwidth", row.bandwidth);
}

template <typename Io>
void describe(Io& io, Ref<Io, LaunchStats> row) {
  io("process", row.process);
  io("launches", row.launches);
  io("launch_p50_us", row.launch_p50_us);
  io("launch_p95_us", row.launch_p95_us);
  io("delay_p50_us", row.delay_p50_us);
  io("delay_p95_us", row.delay_p95_us);
  io("delay_max_us", row.delay_max_us);
  io("short_kernels", row.short_kernels);
  io("queue_max", row.queue_max);
  io("without_launch", row.without_launch);
}

template <typename Io>
void describe(Io& io, Ref<Io, SyncRow> row) {
  io("process", row.process);
  io("call", row.call);
  io.text_or_null("op", row.op);
  io.text_or_null("outer", row.outer);
  io("calls", row.calls);
  io("us", row.us);
}

template <typename Io>
void describe(Io& io, Ref<Io, CollectiveRow> row) {
  io("process", row.process);
  io("name", row.name);
  io("where", row.where);
  io.text_or_null("dtype", row.dtype);
  io("bytes", row.bytes);
  io("calls", row.calls);
  io("total_us", row.total_us);
  io("mean_us", row.mean_us);
  io("min_us", row.min_us);
  io("max_us", row.max_us);
  io("ranks", row.ranks);
  io("transfer_us", row.transfer_us);
  io("bandwidth", row.bandwidth);
  io("bus_bandwidth", row.bus_bandwidth);
}

template <typename Io>
void describe(Io& io, Ref<Io, OverlapRow> row) {
  io("process", row.process);
  io("rank", row.rank);
  io("profiled_us", row.profiled_us);
  io("compute_us", row.compute_us);
  io("communication_us", row.communication_us);
  io("hidden_us", row.hidden_us);
  io("exposed_us", row.exposed_us);
  io("overlap_percent", row.overlap_percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, StragglerRow> row) {
  io("process", row.process);
  io("rank", row.rank);
  io("collectives", row.collectives);
  io("last", row.last);
  io("lateness_us", row.lateness_us);
  io("waited_us", row.waited_us);
  io("clock_offset_us", row.clock_offset_us);
}

template <typename Io>
void describe(Io& io, Ref<Io, Communication> communication) {
  io("collectives", communication.collectives);
  io("overlap", communication.overlap);
  io("stragglers", communication.stragglers);
  io("skew_us", communication.skew_us);
  io("wait_percent", communication.wait_percent);
  io("missing_ranks", communication.missing_ranks);
  io("missing_count", communication.missing_count);
}

template <typename Io>
void describe(Io& io, Ref<Io, MemoryHolder> row) {
  io.text_or_null("op", row.op);
  io.text_or_null("outer", row.outer);
  io("bytes", row.bytes);
  io("blocks", row.blocks);
  io("other_count", row.other_count);
}

template <typename Io>
void describe(Io& io, Ref<Io, DeviceMemory> row) {
  io("process", row.process);
  io("device", row.device);
  io("capacity", row.capacity);
  io("events", row.events);
  io("peak_allocated", row.peak_allocated);
  io("peak_reserved", row.peak_reserved);
  io.time_if(row.clock_known, "peak_time", row.peak_time);
  io("before_trace", row.before_trace);
  io("holders", row.holders);
  io("growth_per_step", row.growth_per_step);
}

template <typename Io>
void describe(Io& io, Ref<Io, AnnotationRow> row) {
  io("process", row.process);
  io("name", row.name);
  io("count", row.count);
  io("total_us", row.total_us);
  io("mean_us", row.mean_us);
  io("min_us", row.min_us);
  io("max_us", row.max_us);
  io("gpu_us", row.gpu_us);
  io.unless_empty("histogram", row.histogram);
}

template <typename Io>
void describe(Io& io, Ref<Io, ModuleRow> row) {
  io("name", row.name);
  io("calls", row.calls);
  io("host_total_us", row.host_total_us);
  io("host_self_us", row.host_self_us);
  io("device_total_us", row.device_total_us);
  io("device_self_us", row.device_self_us);
}

template <typename Io>
void describe(Io& io, Ref<Io, Traces> traces) {
  io("files", traces.files);
  io("steps", traces.steps);
  io("processes", traces.processes);
  io("slowest", traces.slowest);
  io("critical_paths", traces.critical_paths);
  io("recomputation", traces.recomputation);
  io.unless_empty("graphs", traces.graphs);
  io("operators", traces.operators);
  io("kernels", traces.kernels);
  io("performance", traces.performance);
  io("gpus", traces.gpus);
  io("copies", traces.copies);
  io("launches", traces.launches);
  io("syncs", traces.syncs);
  io("blocking_copies", traces.blocking_copies);
  io("setup", traces.setup);
  io("communication", traces.communication);
  io("memory", traces.memory);
  io("annotations", traces.annotations);
  io("modules", traces.modules);
}

template <typename Io>
void describe_traces(Io& io, Ref<Io, Result> result) {
  io.unless_empty("traces", result.traces);
}

template void describe_traces(Writer& io, const Result& result);
template void describe_traces(Reader& io, Result& result);

} // namespace debrief::result
