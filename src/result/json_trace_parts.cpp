#include "result/json_parts.h"

namespace debrief::result::parts {

namespace {

json collective_json(const CollectiveRow& row) {
  return {{"process", row.process},
          {"name", row.name},
          {"where", row.where},
          {"dtype", text_or_null(row.dtype)},
          {"bytes", or_null(row.bytes)},
          {"calls", row.calls},
          {"total_us", number(row.total_us)},
          {"mean_us", number(row.mean_us)},
          {"max_us", number(row.max_us)},
          {"bandwidth", number(row.bandwidth)}};
}

json overlap_json(const OverlapRow& row) {
  return {{"process", row.process},
          {"rank", or_null(row.rank)},
          {"profiled_us", number(row.profiled_us)},
          {"compute_us", number(row.compute_us)},
          {"communication_us", number(row.communication_us)},
          {"hidden_us", number(row.hidden_us)},
          {"exposed_us", number(row.exposed_us)},
          {"overlap_percent", number(row.overlap_percent)}};
}

json straggler_json(const StragglerRow& row) {
  return {{"process", row.process},
          {"rank", or_null(row.rank)},
          {"collectives", row.collectives},
          {"last", row.last},
          {"lateness_us", number(row.lateness_us)},
          {"waited_us", number(row.waited_us)},
          {"clock_offset_us", number(row.clock_offset_us)}};
}

json holder_json(const MemoryHolder& row) {
  return {{"op", text_or_null(row.op)},
          {"outer", text_or_null(row.outer)},
          {"bytes", row.bytes},
          {"blocks", row.blocks}};
}

} // namespace

json communication_json(const Communication& communication) {
  return {{"collectives", list(communication.collectives, collective_json)},
          {"overlap", list(communication.overlap, overlap_json)},
          {"stragglers", list(communication.stragglers, straggler_json)},
          {"skew_us", number(communication.skew_us)},
          {"missing_ranks", communication.missing_ranks},
          {"missing_count", communication.missing_count}};
}

json device_memory_json(const DeviceMemory& row, bool clock_known) {
  return {{"process", row.process},
          {"device", row.device},
          {"capacity", or_null(row.capacity)},
          {"events", row.events},
          {"peak_allocated", row.peak_allocated},
          {"peak_reserved", row.peak_reserved},
          {"peak_time", clock_known ? time(row.peak_time) : json(nullptr)},
          {"before_trace", row.before_trace},
          {"holders", list(row.holders, holder_json)},
          {"growth_per_step", number(row.growth_per_step)}};
}

json annotation_json(const AnnotationRow& row) {
  return {{"process", row.process},
          {"name", row.name},
          {"count", row.count},
          {"total_us", number(row.total_us)},
          {"mean_us", number(row.mean_us)},
          {"min_us", number(row.min_us)},
          {"max_us", number(row.max_us)},
          {"gpu_us", number(row.gpu_us)},
          {"histogram", histogram_json(row.histogram)}};
}

json module_json(const ModuleRow& row) {
  return {{"name", row.name},
          {"calls", row.calls},
          {"host_total_us", number(row.host_total_us)},
          {"host_self_us", number(row.host_self_us)},
          {"device_total_us", number(row.device_total_us)},
          {"device_self_us", number(row.device_self_us)}};
}

} // namespace debrief::result::parts
