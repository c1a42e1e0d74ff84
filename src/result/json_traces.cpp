#include "result/json_parts.h"

#include <algorithm>
#include <utility>

namespace debrief::result::parts {

namespace {

json gpu_json(const TracedGpu& gpu) {
  return {{"id", gpu.id},
          {"name", text_or_null(gpu.name)},
          {"memory", or_null(gpu.memory)},
          {"multiprocessors", or_null(gpu.multiprocessors)},
          {"compute_capability", or_null(gpu.compute_capability)}};
}

json file_json(const TraceFile& file) {
  return {{"path", file.path},
          {"process", file.process},
          {"node", text_or_null(file.node)},
          {"rank", or_null(file.rank)},
          {"world_size", or_null(file.world_size)},
          {"backend", text_or_null(file.backend)},
          {"span", file.span ? span_json(*file.span) : json(nullptr)},
          {"duration_us", number(file.duration_us)},
          {"steps", file.steps},
          {"gpus", list(file.gpus, gpu_json)},
          {"categories", list(file.categories,
                              [](const CategoryCount& row) {
                                return json{{"category", row.category}, {"count", row.count}};
                              })},
          {"not_recorded", file.not_recorded}};
}

json traces_part_json(const StepPart& part) {
  return {{"part", part.part}, {"us", number(part.us)}, {"percent", number(part.percent)}};
}

json traces_step_json(const StepBreakdown& step) {
  return {{"process", step.process},
          {"number", or_null(step.number)},
          {"start", time(step.start)},
          {"us", number(step.us)},
          {"gpu_busy_us", number(step.gpu_busy_us)},
          {"parts", list(step.parts, traces_part_json)}};
}

json process_json(const ProcessBreakdown& process) {
  return {{"process", process.process},
          {"steps", process.steps},
          {"us", number(process.us)},
          {"gpu_busy_us", number(process.gpu_busy_us)},
          {"parts", list(process.parts, traces_part_json)}};
}

/// Whether moments of a process are moments of the calendar.
bool clock_known(const std::vector<TraceFile>& files, const std::string& process) {
  return std::any_of(files.begin(), files.end(),
                     [&](const TraceFile& file) { return file.span && file.process == process; });
}

} // namespace

json traces_json(const Traces& traces) {
  if (traces.empty()) return nullptr;
  const auto device_memory = [&](const DeviceMemory& row) {
    return device_memory_json(row, clock_known(traces.files, row.process));
  };
  return {{"files", list(traces.files, file_json)},
          {"steps", list(traces.steps, traces_step_json)},
          {"processes", list(traces.processes, process_json)},
          {"operators", trace_operators_json(traces.operators)},
          {"kernels", kernels_json(traces.kernels)},
          {"gpus", list(traces.gpus, gpu_activity_json)},
          {"copies", list(traces.copies, copy_json)},
          {"launches", list(traces.launches, launches_json)},
          {"syncs", list(traces.syncs, sync_json)},
          {"communication", communication_json(traces.communication)},
          {"memory", list(traces.memory, device_memory)},
          {"annotations", list(traces.annotations, annotation_json)},
          {"modules", list(traces.modules, module_json)}};
}

} // namespace debrief::result::parts
