// What the result says about PyTorch traces: where each profiled step went, operators, kernels,
// what GPUs did and why they were idle, communication, the allocator, annotations. Durations are
// microseconds with decimals (kernels last a fraction of one); moments are microseconds since the
// epoch. What a trace does not record is absent.
#pragma once

#include "result/allocator_memory.h"
#include "result/enum_names.h"
#include "result/histogram.h"
#include "result/operator_stacks.h"
#include "result/performance.h"
#include "result/step_paths.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// A GPU as its trace describes it.
struct TracedGpu {
  std::int64_t id = 0;
  std::string name;
  std::optional<std::int64_t> memory; ///< bytes
  std::optional<std::int64_t> multiprocessors;
  std::optional<std::string> compute_capability; ///< "9.0"
};

/// What marks the steps of a trace, best first.
enum class StepSource {
  profiler_step,    ///< prof.step(): "ProfilerStep#22"
  optimizer_step,   ///< between the ends of "Optimizer.step#…"
  data_loader,      ///< between the starts of "enumerate(DataLoader)#…"
  engine_iteration, ///< ranges of vLLM and SGLang
  module_call,      ///< of the outermost torch.nn.Module
  graph_launch,     ///< between launches of CUDA or HIP graphs
  none              ///< nothing does: all of it is taken as one
};

template <>
inline constexpr auto kNames<StepSource> =
    std::to_array<const char*>({"profiler_step", "optimizer_step", "data_loader",
                                "engine_iteration", "module_call", "graph_launch", "none"});

/// Of a serving engine's iteration.
enum class StepPhase { prefill, decode, mixed };

template <>
inline constexpr auto kNames<StepPhase> = std::to_array<const char*>({"prefill", "decode",
                                                                      "mixed"});

struct CategoryCount {
  std::string category; ///< "X kernel": the event's phase and category
  std::int64_t count = 0;
};

/// One file: one process during one profiling cycle.
struct TraceFile {
  std::string path;
  std::string process;
  std::string node; ///< empty: not known
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
  std::string backend;          ///< empty: not distributed, or not recorded
  std::optional<TimeSpan> span; ///< absent: its clock is not known, or it is empty
  double duration_us = 0;
  std::int64_t steps = 0; ///< 0: nothing marks them, all of it is taken as one
  StepSource step_source = StepSource::none;
  std::vector<TracedGpu> gpus;
  std::vector<CategoryCount> categories; ///< of all its events, kept or not; by name
  std::vector<std::string> not_recorded; ///< "shapes", "memory", "stacks", "GPU"
};

/// A part of a step. Parts of a step sum to it: at each moment the first in the order of
/// `kStepParts` counts.
struct StepPart {
  std::string part;
  double us = 0;
  double percent = 0;
};

inline constexpr const char* kStepParts[] = {"kernel",        "memcpy",  "memset",
                                             "communication", "runtime", "data loader",
                                             "CPU operators", "other"};

struct StepBreakdown {
  std::string process;
  std::optional<std::int64_t> number; ///< absent: the whole trace, which has no steps
  std::optional<Microseconds> start;  ///< when it ran; absent: clock not known
  double us = 0;          ///< from where the GPU turned to it to where the GPU turned to the next
  double gpu_busy_us = 0; ///< union of kernels, copies and sets over all streams, meanwhile
  std::vector<StepPart> parts;    ///< all of kStepParts, in that order
  std::optional<StepPhase> phase; ///< of a serving engine's iteration
  std::optional<std::int64_t> tokens;
  /// In collectives of the step, from this process's start to the last one's; a moment counts once.
  /// Absent: none of them is in another process's trace.
  std::optional<double> waited_us;
};

/// All profiled steps of one process together.
struct ProcessBreakdown {
  std::string process;
  std::int64_t steps = 0;
  double us = 0;
  double gpu_busy_us = 0;
  std::vector<StepPart> parts;
};

/// An operator over all its calls, in all processes.
struct TraceOperator {
  std::string name;
  std::string shapes; ///< "[8192, 50257] []"; empty in the table by name, and where not recorded
  std::int64_t calls = 0;
  double host_total_us = 0; ///< with the operators inside; a recursive call counts once
  double host_self_us = 0;
  double device_total_us =
      0; ///< kernels, copies and sets that it or an operator inside of it started
  double device_self_us = 0;
  /// Not an operator, but the runtime call that launched work outside of any: "cudaGraphLaunch".
  /// Its name is empty where the launch was not recorded.
  bool outside_operators = false;
  bool tensor_core_eligible = false; ///< matrix products and convolutions
  double tensor_core_us = 0; ///< of device_self_us, in kernels that use tensor cores, by name
  std::optional<WorkCategory> category; ///< most of device_self_us; absent: it launched no work
};

struct TraceOperators {
  /// Most device self, then host self first; the first kMaxTraceRows. Work that no operator
  /// launched is in rows of the calls that did, so that device self times sum to all GPU work.
  std::vector<TraceOperator> by_name;
  std::vector<TraceOperator>
      by_shapes; ///< the same by name and shapes; empty where no trace records them
  std::int64_t names = 0;
  std::int64_t names_and_shapes = 0;
  std::int64_t calls = 0;   ///< of all, listed or not, as what follows
  double host_total_us = 0; ///< the sum of totals, which has what nests in it several times
  double host_self_us = 0;
  double device_self_us = 0;
  std::int64_t backward_calls = 0;       ///< of the autograd engine's functions
  double backward_host_us = 0;           ///< their totals
  double eligible_device_us = 0;         ///< device self time of eligible operators
  double tensor_core_us = 0;             ///< of kernels that use tensor cores
  double tensor_core_unknown_us = 0;     ///< of kernels that neither name nor operator tells of
  std::vector<CategoryShare> categories; ///< of all GPU work, most time first
};

/// Blocks of a grid, or threads of a block: x, y, z.
using LaunchSize = std::array<std::int64_t, 3>;

struct StreamId {
  std::int64_t device = 0;
  std::int64_t stream = 0;

  bool operator==(const StreamId&) const = default;
};

/// A kernel over all its calls, in all processes.
struct KernelRow {
  std::string name;       ///< whole
  std::string short_name; ///< for reading: without template arguments, parameters and namespaces
  std::string op;         ///< that launches it most; empty: not known
  std::int64_t calls = 0;
  double total_us = 0;
  double mean_us = 0;
  double min_us = 0;
  double max_us = 0;
  double percent = 0;                  ///< of all kernels' totals
  std::optional<LaunchSize> grid;      ///< of the most frequent launch; absent: not recorded
  std::optional<LaunchSize> block;     ///< of the same launches
  std::int64_t launch_shapes = 0;      ///< distinct grids and blocks
  std::optional<double> occupancy;     ///< percent, mean weighted by time
  std::optional<double> blocks_per_sm; ///< mean weighted by time
  std::vector<StreamId> streams;       ///< the first few
  std::string precision; ///< "fp32", "tf32", "bf16", …; "unknown" where the name does not say
  std::optional<bool> tensor_cores; ///< absent: neither its name nor its operator tells
  bool communication = false;
  WorkCategory category = WorkCategory::other;
};

/// A part of the kernels' time.
struct PrecisionShare {
  std::string precision;
  std::int64_t calls = 0;
  double us = 0;
  double percent = 0;
};

struct Kernels {
  std::vector<KernelRow> rows; ///< most time first; the first kMaxTraceRows
  std::int64_t names = 0;
  std::int64_t calls = 0;
  double total_us = 0;
  std::vector<PrecisionShare>
      precision; ///< of kernels that compute; most time first, percents sum to 100
};

inline constexpr std::size_t kMaxTraceRows = 300;

/// What one GPU did for one process while it was profiled (its steps; all of the trace where it has
/// none).
struct GpuActivity {
  std::string process;
  std::int64_t device = 0;
  std::string gpu; ///< its name; empty: not recorded
  double profiled_us = 0;
  double busy_us = 0;          ///< union of all work
  double kernel_us = 0;        ///< union of kernels that compute
  double communication_us = 0; ///< union of kernels that communicate
  double memory_us = 0;        ///< union of copies and sets
  double copy_us = 0;          ///< union of copies between the host and the GPU
  /// Of copy_us, while the GPU does nothing else, and no collective that copies through the host is
  /// under way. A GPU that copies computes nothing.
  double copy_alone_us = 0;
  std::int64_t streams = 0;
  std::optional<double>
      sm_efficiency; ///< percent of profiled time: blocks / multiprocessors (at most 1) per kernel
  std::optional<double> occupancy; ///< percent, mean over kernels' time
  // The gaps: profiled_us = busy_us + idle_us, idle_us = the sum of its reasons.
  double idle_us = 0;
  double host_wait_us = 0; ///< up to where the call that launched the next work returned
  double kernel_wait_us =
      0; ///< from there to the work, where that is shorter than kKernelWaitUs: the usual delay
  double other_wait_us = 0; ///< the same where it is longer; or nothing is known of the launch
  // Of idle_us, apart from data loading, what the host did meanwhile: the first that holds.
  double setup_wait_us = 0; ///< it was in one of the calls of Traces::setup
  double copy_wait_us = 0;  ///< it was in a call that copies (Traces::blocking_copies)
  /// It waited for the GPU, or came from such a wait, in which the GPU ran out of work, to the next
  /// launch.
  double host_sync_us = 0;
  double outside_wait_us = 0; ///< it ran code outside PyTorch: Python, or what that calls

  /// In which it computed or communicated, whatever it copied meanwhile.
  double working_us() const { return busy_us - copy_alone_us; }
};

/// HTA's consecutive_kernel_delay, 30 in the units of a trace. Usual gaps between kernels that were
/// launched in time are about 1 µs.
inline constexpr double kKernelWaitUs = 30;

inline constexpr const char* kHostToDevice = "Host to device";
inline constexpr const char* kDeviceToHost = "Device to host";

/// Copies of one direction, and sets.
struct CopyRow {
  std::string process;
  std::string direction; ///< "Host to device", "Device to host", "Device to device", "Peer to
                         ///< peer", "Memset", …
  std::string memory;    ///< "Pageable to device"; empty: not recorded
  std::int64_t calls = 0;
  double us = 0;
  std::optional<std::int64_t> bytes;
  std::optional<double> bandwidth; ///< GB/s: bytes / time
};

/// How one process launches kernels.
struct LaunchStats {
  std::string process;
  std::int64_t launches = 0; ///< kernels whose launch is in the trace
  double launch_p50_us = 0;  ///< how long the host's call takes
  double launch_p95_us = 0;
  double delay_p50_us = 0; ///< from the call's end to the kernel's start
  double delay_p95_us = 0;
  double delay_max_us = 0;
  std::int64_t short_kernels = 0; ///< that last less than their launch
  std::int64_t queue_max =
      0; ///< launched and not yet started, at most; streams block at about 1024
  std::int64_t without_launch = 0; ///< kernels whose launch is not in the trace
};

/// Time in which the host is blocked: by the GPU, or by a copy.
struct SyncRow {
  std::string process;
  std::string call; ///< "cudaStreamSynchronize", "cudaMemcpyAsync"
  std::string op;   ///< the operator that causes it ("aten::item"); empty: none around it
  std::string
      outer; ///< the outermost operator or annotation around it that is not a step; empty: none
  std::int64_t calls = 0;
  double us = 0;
};

/// Collectives of one name, type and size.
struct CollectiveRow {
  std::string process;
  std::string name;  ///< "all_reduce"
  std::string where; ///< "GPU" (a kernel), "CPU" (gloo)
  std::string dtype;
  std::optional<std::int64_t> bytes; ///< of one call: the larger of what goes in and comes out
  std::int64_t calls = 0;
  double total_us = 0;
  double mean_us = 0;
  double min_us = 0;
  double max_us = 0;
  std::optional<std::int64_t> ranks; ///< that take part; absent: not recorded
  /// Of one call without waiting for others, mean; absent: it is in one process's trace only.
  std::optional<double> transfer_us;
  /// GB/s of the algorithm: bytes over transfer_us, else over min_us, in which waiting is least.
  std::optional<double> bandwidth;
  /// GB/s of the bus, as nccl-tests has it: the algorithm's times what each rank has to send for
  /// it. Absent: how many take part is not known.
  std::optional<double> bus_bandwidth;
};

/// Communication of one process against its compute, within its profiled time.
struct OverlapRow {
  std::string process;
  std::optional<std::int64_t> rank;
  double profiled_us = 0;
  double compute_us = 0;                 ///< union of kernels that compute
  double communication_us = 0;           ///< union of collectives, on GPU or CPU
  double hidden_us = 0;                  ///< of it, while a kernel computes
  double exposed_us = 0;                 ///< the rest
  std::optional<double> overlap_percent; ///< hidden / communication
};

/// How late a process comes to collectives that others wait in. Needs two processes with matching
/// collectives.
struct StragglerRow {
  std::string process;
  std::optional<std::int64_t> rank;
  std::int64_t collectives = 0; ///< matched across the processes
  std::int64_t last = 0;        ///< of them, it came last
  double lateness_us = 0;       ///< mean, behind the first process
  double waited_us = 0; ///< over matched collectives, from its own start to the last one's start;
                        ///< a moment counts once
  std::optional<double>
      clock_offset_us; ///< by which its clock seems ahead of the first process's, and is set back
};

struct Communication {
  std::vector<CollectiveRow> collectives; ///< per process, most time first
  std::vector<OverlapRow> overlap;
  std::vector<StragglerRow> stragglers; ///< latest first; empty where nothing can be compared
  std::optional<double> skew_us; ///< mean of last start minus first start over matched collectives
  std::optional<double>
      wait_percent; ///< of matched collectives' time: waiting for the last process
  std::vector<std::int64_t>
      missing_ranks; ///< of the world's, without a trace; the first kMaxMissingRanks
  std::int64_t missing_count = 0;
};

inline constexpr std::size_t kMaxMissingRanks = 100;

/// A range that user code named, over all its occurrences in one process.
struct AnnotationRow {
  std::string process;
  std::string name; ///< "ProfilerStep#…" is one
  std::int64_t count = 0;
  double total_us = 0;
  double mean_us = 0;
  double min_us = 0;
  double max_us = 0;
  std::optional<double> gpu_us; ///< of work launched within; absent without a GPU
  Histogram histogram;          ///< of durations in microseconds, 20 bins
};

/// A module's forward passes.
struct ModuleRow {
  std::string name; ///< "Linear_0"
  std::int64_t calls = 0;
  double host_total_us = 0;
  double host_self_us = 0; ///< without the modules inside
  double device_total_us = 0;
  double device_self_us = 0;
};

inline constexpr std::size_t kMaxAnnotations = 200;
inline constexpr std::size_t kMaxModules = 300;

/// A slice of a step's view.
struct StepSlice {
  std::int64_t start_ns = 0; ///< after the step's start; may be negative for what began before
  std::int64_t duration_ns = 0;
  std::int32_t name = 0;    ///< in StepView::names
  std::int32_t track = 0;   ///< in StepView::tracks
  std::int32_t depth = 0;   ///< nesting on its track; 0 is outermost
  std::int32_t launch = -1; ///< of GPU work: the slice (in StepView::slices) that launched it
  std::int32_t kind = 0;    ///< index into kSliceKinds
  bool critical = false;    ///< on the critical path
  /// Of operators and GPU work: what it is for; `other` for all else.
  WorkCategory category = WorkCategory::other;
};

inline constexpr const char* kSliceKinds[] = {"operator", "annotation", "module", "runtime",
                                              "overhead", "kernel",     "memcpy", "memset"};

inline constexpr std::size_t kMaxStepSlices = 20'000; ///< of one view

struct StepTrack {
  std::string name; ///< "thread 806", "GPU 0 stream 7"
  bool gpu = false;
  std::int32_t depth = 0; ///< levels
  std::string other = {}; ///< the other process that it is of; empty: it is the step's own
};

/// One profiled step in full, for the page: not in the JSON.
struct StepView {
  /// "slowest", "median", "fastest", "step" for any other; "only" where there is but one.
  std::string which;
  std::string process;
  std::optional<std::int64_t> number;
  double us = 0;      ///< how long the step took: StepBreakdown::us
  double host_us = 0; ///< how long the host was in it; 0 is where it began
  std::vector<std::string> names;
  std::vector<StepTrack> tracks; ///< threads, then streams, then those of other processes
  std::vector<StepSlice> slices; ///< by track, then start, then longest first
  double shown_us = 0; ///< from the step's start to the end of what is shown: of the step, and of
                       ///< GPU work that it launched; less than `us` where the rest is cut off
  std::int64_t dropped = 0;    ///< slices that are not shown: the shortest
  std::int64_t after_view = 0; ///< slices that are not shown, since they begin after `shown_us`
};

struct Traces {
  std::vector<TraceFile> files; ///< by path
  std::vector<StepBreakdown> steps;
  std::vector<ProcessBreakdown> processes;
  std::vector<SlowestProcess> slowest;      ///< empty for fewer than two processes with steps
  std::vector<CriticalPath> critical_paths; ///< of the steps of `views`
  std::vector<Recomputation> recomputation;
  GraphWork graphs;
  TraceOperators operators;
  Kernels kernels;
  Performance performance;
  std::vector<GpuActivity> gpus;
  std::vector<CopyRow> copies;
  std::vector<LaunchStats> launches;
  std::vector<SyncRow> syncs; ///< most time first
  /// Calls that hold up the host until memory is copied to the GPU: from pageable memory, or
  /// synchronous ones. Most time first.
  std::vector<SyncRow> blocking_copies;
  /// Calls that do once what later steps need no more: they load code, compile, capture graphs, try
  /// out convolutions. Most time first.
  std::vector<SyncRow> setup;
  Communication communication;
  std::vector<DeviceMemory> memory;
  std::vector<AnnotationRow> annotations; ///< most time first, per process
  std::vector<ModuleRow> modules;
  std::vector<StepView> views; ///< not in the JSON, as what follows
  std::vector<OperatorStack> stacks;

  bool empty() const { return files.empty(); }
};

} // namespace debrief::result
