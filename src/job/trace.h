// What torch.profiler (Kineto) recorded of one process during one profiling cycle: what each CPU
// thread and each GPU stream did, slice by slice, and what the allocator did.
//
// A slice is an interval on a track: an operator, a runtime call, a kernel, a copy, an annotation.
// What only some kinds have (shapes, launch configuration, bytes) is in tables beside the slices;
// most of it repeats, so it is kept once. Texts are as recorded and untrusted.
#pragma once

#include "job/string_table.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

/// What a slice is, by the recorder's category.
enum class SliceKind : std::uint8_t {
  op,         ///< cpu_op: an ATen or user operator on a CPU thread; nests
  annotation, ///< user_annotation: record_function ranges, ProfilerStep#N, Optimizer.step#…,
              ///< nccl:all_reduce
  module,     ///< python_function "nn.Module: Linear_0": a module's forward on a CPU thread
  runtime,    ///< cuda_runtime, cuda_driver, hip…: a launch, copy or wait that the host asks for
  overhead,   ///< the profiler's own
  kernel,     ///< on a GPU stream
  memcpy,     ///< on a GPU stream
  memset,     ///< on a GPU stream
  gpu_annotation, ///< gpu_user_annotation: an annotation as seen from a GPU stream; no work of its
                  ///< own
  gpu_wait,       ///< cuda_sync: a stream or the device waits for another; no work of its own
};

/// Whether the GPU works during such a slice.
constexpr bool is_gpu_work(SliceKind kind) {
  return kind == SliceKind::kernel || kind == SliceKind::memcpy || kind == SliceKind::memset;
}

/// A CPU thread, or a stream of a GPU.
struct TraceTrack {
  bool gpu = false;
  std::int64_t process = 0; ///< the process id; the device of a GPU's track
  std::int64_t id = 0;      ///< the thread id; the stream of a GPU's track
  std::string name;         ///< the recorder's ("thread 806 (python3)"); may be empty

  auto operator<=>(const TraceTrack&) const = default;
};

struct Slice {
  static constexpr std::int64_t kNone = -1;

  Nanoseconds start{}; ///< since the epoch; of unknown origin where !Trace::clock_known
  Nanoseconds duration{};
  std::int64_t correlation = kNone; ///< the same for a runtime call and what it started on the GPU
  std::int64_t external = kNone;    ///< "External id": the same for an operator and what it called
  StringTable::Id name = 0;         ///< in Trace::names
  std::int32_t track = 0;           ///< in Trace::tracks
  /// op, annotation: Trace::inputs; kernel: launches; memcpy, memset: copies; gpu_wait: waits
  std::int32_t details = -1;
  SliceKind kind = SliceKind::op;

  Nanoseconds end() const { return start + duration; }
};

/// What is known of a collective, from the arguments of its kernel, operator or annotation. 0 and
/// -1: not recorded.
struct CollectiveArgs {
  StringTable::Id name = -1;     ///< in Trace::names: "allreduce", "_allgather_base"
  StringTable::Id dtype = -1;    ///< "Float", "BFloat16"
  StringTable::Id group = -1;    ///< "Process Group Name"
  std::int64_t in_elements = -1; ///< "In msg nelems"
  std::int64_t out_elements = -1;
  std::int64_t group_size = -1;

  auto operator<=>(const CollectiveArgs&) const = default;
};

/// What an operator or an annotation was called with; each distinct combination once.
struct InputArgs {
  StringTable::Id dims =
      -1; ///< "[[8192, 50257], []]", as recorded, without line breaks; -1: not recorded
  StringTable::Id types = -1; ///< "["float", "Scalar"]"
  StringTable::Id concrete =
      -1;                       ///< "["", "[2, 2]"]": strides, flags; of convolutions and attention
  std::int32_t collective = -1; ///< in Trace::collectives
  std::int64_t flops = -1;      ///< of one call
  /// Autograd recorded it to be differentiated: it has a sequence number and is no backward
  /// function. What a backward pass computes is not, but for what it computes again.
  bool differentiable = false;

  auto operator<=>(const InputArgs&) const = default;
};

/// How a kernel was launched; each distinct combination once. Negative: not recorded.
struct LaunchArgs {
  std::array<std::int32_t, 3> grid{-1, -1, -1};
  std::array<std::int32_t, 3> block{-1, -1, -1};
  std::int32_t registers = -1;     ///< per thread
  std::int32_t shared_memory = -1; ///< bytes, per block
  float blocks_per_sm = -1;
  float warps_per_sm = -1;
  float occupancy = -1;         ///< "est. achieved occupancy %"
  std::int32_t collective = -1; ///< in Trace::collectives

  auto operator<=>(const LaunchArgs&) const = default;
};

/// Of a memcpy or memset; one for each. Negative: not recorded.
struct CopyArgs {
  std::int64_t bytes = -1;
  double bandwidth = -1; ///< GB/s, as recorded
};

/// Of a gpu_wait that waits for an event: where the event was recorded. Negative: not recorded.
struct WaitArgs {
  std::int64_t stream = -1;             ///< "wait_on_stream"
  std::int64_t record_correlation = -1; ///< of the call that recorded the event
};

/// The allocator gives or takes memory: a "[memory]" event.
struct MemoryEvent {
  Nanoseconds time{};
  std::int64_t bytes = 0;     ///< negative: freed
  std::uint64_t address = 0;  ///< ties what is freed to what was allocated
  std::int64_t allocated = 0; ///< in all, after it
  std::int64_t reserved = 0;  ///< held by the caching allocator, after it; 0 on the CPU
  std::int32_t track = 0;     ///< the thread that asked
  std::int16_t device = -1;
  bool gpu = false;
};

/// "deviceProperties" of one GPU. Absent: not recorded.
struct GpuProperties {
  std::int64_t id = 0;
  std::string name;                   ///< "NVIDIA H200"
  std::optional<std::int64_t> memory; ///< bytes
  std::optional<std::int64_t> multiprocessors;
  std::optional<std::int64_t> threads_per_multiprocessor;
  std::optional<std::int64_t> compute_major;
  std::optional<std::int64_t> compute_minor;
};

/// A process group of torch.distributed.
struct ProcessGroup {
  std::string name;
  std::string description;
  std::vector<std::int64_t> ranks;
};

/// One file.
struct Trace {
  std::string path; ///< relative to the job's folder
  std::string node; ///< host of the worker's name; empty where not known
  std::string
      process; ///< how this process is called everywhere: "algo-1-605", "rank 0", never empty
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::string backend; ///< "nccl", "gloo"; empty: not distributed, or not recorded
  std::vector<ProcessGroup> groups;
  std::vector<GpuProperties> gpus;
  bool clock_known = true; ///< false: times have an unknown origin
  bool with_shapes = false;
  bool with_memory = false;
  bool with_stacks = false;

  StringTable names; ///< of slices, and every other text
  std::vector<TraceTrack> tracks;
  std::vector<Slice>
      slices; ///< by track, then start, then longest first: what nests follows what holds it
  std::vector<InputArgs> inputs;
  std::vector<LaunchArgs> launches;
  std::vector<CopyArgs> copies;
  std::vector<WaitArgs> waits;
  std::vector<CollectiveArgs> collectives;
  std::vector<MemoryEvent> memory; ///< by time

  /// Events of the file by phase and category ("X kernel", "i cpu_instant_event", "M"), kept or
  /// not.
  std::map<std::string, std::uint64_t> counts;

  bool empty() const { return slices.empty() && memory.empty(); }

  /// First start to last end of slices; nothing where there is none.
  std::optional<std::pair<Nanoseconds, Nanoseconds>> span() const;
};

} // namespace debrief::job
