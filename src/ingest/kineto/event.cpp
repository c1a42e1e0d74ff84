#include "ingest/kineto/event.h"

#include "ingest/same_bytes.h"
#include "job/annotation_names.h"

namespace debrief::ingest::kineto {

namespace {

using chrome_trace::Key;
using chrome_trace::read_members;
using chrome_trace::TokenCursor;
using chrome_trace::ValueReader;

bool read_argument(const Key& key, Event& event, ValueReader& read) {
  switch (key.first()) {
  case 'E':
    if (key.is("External id")) return read.integer(event.external);
    return read.skip();
  case 'I':
    if (key.is("Input Dims")) return read.array_text(event.dims);
    if (key.is("Input type")) return read.array_text(event.types);
    if (key.is("In msg nelems")) return read.integer(event.in_elements);
    return read.skip();
  case 'c':
    if (key.is("correlation")) return read.integer(event.correlation);
    return read.skip();
  case 'd':
    if (key.is("device")) return read.integer(event.device);
    if (key.is("dtype")) return read.text(event.dtype);
    return read.skip();
  case 's':
    if (key.is("stream")) return read.integer(event.stream);
    if (key.is("shared memory")) return read.small(event.launch.shared_memory);
    return read.skip();
  case 'g':
    if (key.is("grid")) return read.three(event.launch.grid);
    return read.skip();
  case 'b':
    if (key.is("block")) return read.three(event.launch.block);
    if (key.is("blocks per SM")) return read.number(event.launch.blocks_per_sm);
    if (key.is("bytes")) return read.integer(event.copy.bytes);
    return read.skip();
  case 'r':
    if (key.is("registers per thread")) return read.small(event.launch.registers);
    return read.skip();
  case 'w':
    if (key.is("warps per SM")) return read.number(event.launch.warps_per_sm);
    if (key.is("wait_on_stream")) return read.integer(event.wait.stream);
    if (key.is("wait_on_cuda_event_record_corr_id"))
      return read.integer(event.wait.record_correlation);
    return read.skip();
  case 'e':
    if (key.is("est. achieved occupancy %")) return read.number(event.launch.occupancy);
    return read.skip();
  case 'm':
    if (key.is("memory bandwidth (GB/s)")) return read.number(event.copy.bandwidth);
    return read.skip();
  case 'f':
    if (key.is("flops")) return read.integer(event.flops);
    return read.skip();
  case 'C':
    if (key.is("Collective name")) return read.text(event.collective);
    if (key.is("Concrete Inputs")) return read.array_text(event.concrete);
    return read.skip();
  case 'P':
    if (key.is("Process Group Name")) return read.text(event.group);
    return read.skip();
  case 'O':
    if (key.is("Out msg nelems")) return read.integer(event.out_elements);
    return read.skip();
  case 'F':
    if (key.is("Fwd thread id")) return read.integer(event.forward_thread);
    return read.skip();
  case 'G':
    if (key.is("Group size")) return read.integer(event.group_size);
    return read.skip();
  case 'B':
    if (key.is("Bytes")) return read.integer(event.memory_bytes);
    return read.skip();
  case 'l':
    if (key.is("level")) return read.text(event.level);
    return read.skip();
  case 'S':
    if (key.is("Stream Id")) return read.integer(event.stream);
    if (key.is("Sequence number")) return read.integer(event.sequence);
    return read.skip();
  case 'T':
    if (key.is("Task Type")) return read.text(event.task_type);
    if (key.is("Total Allocated")) return read.integer(event.total_allocated);
    if (key.is("Total Reserved")) return read.integer(event.total_reserved);
    return read.skip();
  case 'D':
    if (key.is("Device Type")) return read.integer(event.device_type);
    if (key.is("Device Id")) return read.integer(event.device_id);
    return read.skip();
  case 'A':
    if (key.is("Addr")) return read.address(event.address);
    return read.skip();
  case 'n':
    if (key.is("name")) return read.text(event.args_name);
    return read.skip();
  default:
    return read.skip();
  }
}

/// Whether something of the event may be kept, as far as is known by now.
bool is_wanted(const Event& event) {
  if (event.ph.empty()) return true;
  if (is_text(event.ph, "X"))
    return event.cat.empty() || event.name.empty() || kind_of(event.cat, event.name).has_value();
  if (is_text(event.ph, "i")) return event.name.empty() || is_text(event.name, "[memory]");
  return is_text(event.ph, "M");
}

bool read_arguments(TokenCursor& cursor, Event& event, ValueReader& read) {
  if (cursor.peek() != '{') return read.skip();
  return read_members(cursor, [&](const Key& key) { return read_argument(key, event, read); });
}

/// What says which event it is.
bool read_identity(std::string_view& into, Event& event, ValueReader& read) {
  const bool good = read.text(into);
  event.wanted = is_wanted(event);
  return good;
}

bool read_field(const Key& key, TokenCursor& cursor, Event& event, ValueReader& read) {
  switch (key.first()) {
  case 'p':
    if (key.is("ph")) return read_identity(event.ph, event, read);
    if (event.wanted && key.is("pid")) return read.id(event.pid);
    return read.skip();
  case 'c':
    if (key.is("cat")) return read_identity(event.cat, event, read);
    return read.skip();
  case 'n':
    if (key.is("name")) return read_identity(event.name, event, read);
    return read.skip();
  case 't':
    if (event.wanted && key.is("ts")) return read.time(event.ts);
    if (event.wanted && key.is("tid")) return read.id(event.tid);
    return read.skip();
  case 'd':
    if (event.wanted && key.is("dur")) return read.time(event.dur);
    return read.skip();
  case 'a':
    if (event.wanted && key.is("args")) return read_arguments(cursor, event, read);
    return read.skip();
  default:
    return read.skip();
  }
}

} // namespace

bool EventParser::parse(TokenCursor& cursor, Event& event) {
  static constexpr Event kEmpty{};
  event = kEmpty;
  unescaped_.clear();
  ValueReader read{cursor, unescaped_, event.repaired};
  return read_members(cursor, [&](const Key& key) {
    event.empty = false;
    return read_field(key, cursor, event, read);
  });
}

std::optional<job::SliceKind> kind_of(std::string_view category, std::string_view name) {
  if (is_text(category, "cpu_op") || is_text(category, "Operator"))
    return job::is_torch_range(name) ? job::SliceKind::annotation : job::SliceKind::op;
  if (is_text(category, "python_function"))
    return name.starts_with("nn.Module: ") ? std::optional{job::SliceKind::module} : std::nullopt;
  if (is_text(category, "kernel") || is_text(category, "Kernel") ||
      is_text(category, "concurrent_kernel"))
    return job::SliceKind::kernel;
  if (category.ends_with("_runtime") || category.ends_with("_driver") ||
      is_text(category, "Runtime"))
    return job::SliceKind::runtime;
  if (is_text(category, "gpu_memcpy") || is_text(category, "Memcpy")) return job::SliceKind::memcpy;
  if (is_text(category, "gpu_memset") || is_text(category, "Memset")) return job::SliceKind::memset;
  if (is_text(category, "user_annotation")) return job::SliceKind::annotation;
  if (is_text(category, "gpu_user_annotation")) return job::SliceKind::gpu_annotation;
  if (is_text(category, "cuda_sync")) return job::SliceKind::gpu_wait;
  if (is_text(category, "overhead")) return job::SliceKind::overhead;
  if (is_text(category, "mtia_ccp_events")) {
    if (name.starts_with("event_")) return job::SliceKind::gpu_wait;
    return is_text(name, "dma_request") ? job::SliceKind::memcpy : job::SliceKind::kernel;
  }
  if (is_text(category, "hpu_op")) return job::SliceKind::kernel;
  if (is_text(category, "enqueue") || is_text(category, "dequeue")) return job::SliceKind::runtime;
  return std::nullopt;
}

bool keeps_concrete_inputs(std::string_view op) {
  return op.find("conv") != op.npos || op.find("att") != op.npos || op.find("Att") != op.npos;
}

std::optional<job::SliceKind> kind_without_category(const Event& event) {
  if (is_text(event.pid.text, "CPU functions")) return job::SliceKind::op;
  if (is_text(event.pid.text, "CUDA functions")) return job::SliceKind::kernel;
  const auto says = [&](std::string_view word) {
    return event.task_type.find(word) != event.task_type.npos;
  };
  if (!event.task_type.empty()) {
    if (says("WAIT") || says("RECORD")) return job::SliceKind::gpu_wait;
    return says("MEMCPY") || says("SDMA") ? job::SliceKind::memcpy : job::SliceKind::kernel;
  }
  if (!event.level.empty()) return job::SliceKind::runtime;
  return std::nullopt;
}

bool is_left_out(const Event& event) {
  if (!event.cat.empty())
    return is_text(event.cat, "python_function") || is_text(event.cat, "Trace") ||
           is_text(event.cat, "cuda_profiler_range") || is_text(event.cat, "external_correlation");
  // An Ascend NPU's, of the kernels that are there as well.
  return is_text(event.name, "Computing") || is_text(event.name, "Communication") ||
         is_text(event.name, "Communication(Not Overlapped)") || is_text(event.name, "Free");
}

} // namespace debrief::ingest::kineto
