// Everything that the result says about a job's PyTorch traces.
#pragma once

#include "aggregate/trace/index.h"
#include "job/trace.h"
#include "result/framework.h"
#include "result/trace.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

result::Traces trace_figures(std::span<const TraceIndex> indices);

// Ranges that user code and the framework named: how often, how long, and how much GPU work they
// started.

/// Per process, most time first, the first kMaxAnnotations of each. Work belongs to a range where
/// its launch lies inside of it on the same thread; work of the autograd engine, whose threads run
/// while another one waits for the backward pass, belongs to the ranges open on other threads too
/// (collectives' own ranges apart).
std::vector<result::AnnotationRow> annotation_rows(std::span<const TraceIndex> traces);

// How processes communicate: collectives by size, how much of them is hidden behind compute, who
// comes late, and which ranks have no trace.

/// By step of TraceIndex::steps.
using StepWaits = std::map<const TraceStep*, Nanoseconds>;

/// Collectives are listed per process, most time first; of many processes only the longest few
/// each, about kMaxTraceRows in all.
///
/// `waits` are steps with collectives that are in other processes' traces too: how long the
/// process waited in them for others to come.
result::Communication communication(std::span<const TraceIndex> traces, StepWaits* waits = nullptr);

/// Fills `missing_ranks` and `missing_count`: of the world's size, or of the process groups where
/// that is not recorded. Nothing where no trace says its rank.
void find_missing_ranks(std::span<const job::Trace* const> traces, result::Communication& out);

// What framework timelines say of operators and phases, out of PyTorch traces where there are no
// such timelines.

/// Fills what `framework` does not have, and says so in `operator_source`. `no_timelines`: what is
/// in `general` comes from traces already, and their annotations have it whole. SageMaker's own
/// figures are not mixed with others, operators apart, which say where they are from. Operators of
/// CPU and GPU are of one source, so that they can be compared.
///
/// Operators' total times are host time, kernels are the GPU's operators. Forward against backward
/// is known where DistributedDataParallel marks forward passes: the operators of the autograd
/// engine are the backward pass.
void fill_from_traces(const result::Traces& traces, bool no_timelines,
                      result::Framework& framework);

// What each GPU did while it was profiled, and why it was idle.
//
// A gap is a stretch of profiled time in which no stream of the GPU works. It is blamed by the work
// that ends it: the host was late up to where the call that launched that work returned. What is
// left of the gap is the latency of the launch or, where it is longer than one takes, something
// that the work depends on.

/// One for each process and GPU that did something, all cycles of the process together; processes
/// in the order of the traces.
std::vector<result::GpuActivity> gpu_activity(std::span<const TraceIndex> traces);

// Kernels of all traces by name: how long, how launched, by whom, in which precision.

/// Of result::KernelRow::streams.
inline constexpr std::size_t kMaxStreams = 8;

result::Kernels trace_kernels(std::span<const TraceIndex> indices);

// How processes launch kernels: how long the call takes, how long the kernel then waits, how many
// wait at once.

/// One row per process with kernels. A call that starts several kernels (a CUDA graph) counts once:
/// its delay is that of the first of them. A kernel that is recorded before its launch, which
/// clocks of CPU and GPU that drift apart make, has no delay.
std::vector<result::LaunchStats> launch_stats(std::span<const TraceIndex> traces);

// What the allocator did: how much was allocated and reserved over time, and who held it at the
// peak.
//
// The recorder gives totals with each event of a GPU's allocator. On the CPU several allocators
// report, each with totals of its own or none; there, and where a GPU's totals are less than the
// blocks that are known to be alive, the curve is the sum of the events' bytes, raised so that it
// never falls below zero: what is freed must have been there.

/// One row per process and device, GPUs before the CPU. The cycles of a process share a curve; what
/// was allocated in an earlier cycle than the peak's counts as before the trace, since its end may
/// not have been seen. Holders beyond kMaxHolders are summed up in the last one, so that holders
/// and before_trace sum to the peak.
std::vector<result::DeviceMemory> device_memory(std::span<const TraceIndex> traces);

// The allocator's levels over time on one device: of one profiling cycle, and thinned for drawing.

/// After one event.
struct MemoryLevel {
  Nanoseconds time{};
  std::int64_t allocated = 0;
  std::int64_t reserved = 0;
};

/// The totals that the recorder gives with each event.
std::vector<MemoryLevel> recorded_levels(std::span<const job::MemoryEvent* const> events);

/// Running sums of the events' bytes, raised so that none is negative.
std::vector<MemoryLevel> summed_levels(std::span<const job::MemoryEvent* const> events);

/// The first, the last, and of each stretch of as many events the lowest and highest allocation and
/// the highest reservation: at most kMaxMemoryPoints, peaks kept.
void thin_into(const std::vector<MemoryLevel>& levels, result::DeviceMemory& memory);

/// What memory was for over one profiling cycle, as far as the phases in which it was allocated and
/// freed tell: forward, backward, optimizer. Empty without a GPU, steps or activations.
result::MemoryByCategory memory_by_category(const TraceIndex& index,
                                            std::span<const job::MemoryEvent* const> events,
                                            std::span<const MemoryLevel> levels);

/// A step, and what was allocated at its end.
struct StepEndLevel {
  std::int64_t step = 0;
  std::int64_t allocated = 0;
};

/// Bytes per step by least squares; nothing for fewer than three different steps.
std::optional<double> growth_per_step(std::span<const StepEndLevel> ends);

// Modules (torch.nn.Module) by name: how long their forward passes take on the host, and what they
// start on the GPU.

/// Over all processes; most device time of their own, then most host time of their own first; the
/// first kMaxModules. A module inside of one of the same name counts once.
std::vector<result::ModuleRow> module_rows(std::span<const TraceIndex> traces);

// Operators of all traces: how often they ran, how long on the host and, through what they
// launched, on the device.
//
// Host: a thread's operators nest. Total has what runs inside, counted once where an operator calls
// itself; self is without the operators inside, so that each moment of a thread counts once.
// Device: the work that an operator launched is its own; its totals have that of the operators
// inside of it too.

result::TraceOperators trace_operators(std::span<const TraceIndex> indices);

/// Matrix products, convolutions, attention and recurrent layers: after the list of PyTorch's
/// TensorBoard plugin, less what only works element by element (prelu, the fused cells), plus what
/// came after it (attention, scaled and integer products, backward passes).
bool is_tensor_core_eligible(std::string_view op);

/// Whether a kernel uses tensor cores, by its name, else by the operator that launched it: what no
/// product launched does not. Nothing where neither tells; `op` is empty where there is none.
std::optional<bool> tensor_cores_of(std::string_view kernel, std::string_view op);

// Shapes of an operator's inputs for reading.

/// Longer ones are cut off: operators over lists have hundreds of inputs.
inline constexpr std::size_t kMaxShapesText = 200;

/// "[[8192, 50257], [], [[2], [3]]]" -> "[8192, 50257] [] [[2], [3]]".
std::string readable_shapes(std::string_view dims);

// How fast operators ran on the GPU, and how much of what it can do the steps used.

/// GPU work belongs to the innermost operator around its launch that has a formula
/// (operator_work.h). Calls are told apart by operator, inputs and model of GPU; what they took is
/// all GPU work that they launched, so that memory that a product clears first is part of it.
///
/// Copies between host and GPU have no formula here: not the GPU's memory limits them.
result::Performance operator_performance(std::span<const TraceIndex> indices);

// Where the time of each profiled step went: parts that sum to it exactly.
//
// At each moment the first of result::kStepParts that some stream or thread is in counts: what the
// GPU computes hides what the host does meanwhile. Steps that overlap are each taken on their own.

struct StepFigures {
  std::vector<result::StepBreakdown> steps; ///< by trace, then time
  std::vector<result::ProcessBreakdown>
      processes; ///< all cycles of a process together, in the order of the traces; a trace without
                 ///< steps counts as one
};

StepFigures step_breakdown(std::span<const TraceIndex> indices);

// Which process takes longest, for a whole step and for each part of it.

/// `files` say the ranks. Processes without steps have no part in it; fewer than two give nothing.
std::vector<result::SlowestProcess>
slowest_processes(const std::vector<result::StepBreakdown>& steps,
                  const std::vector<result::TraceFile>& files);

// What a backward pass computes again: operators that autograd records to be differentiated,
// within one of its backward functions.

/// One for each process that does so, in the order of the traces.
std::vector<result::Recomputation> recomputation(std::span<const TraceIndex> traces);

// What CUDA and HIP graphs replay. The recorder knows no operator of it: launches are recorded when
// the graph is captured, in the same trace or in another one.

result::GraphWork graph_work(std::span<const TraceIndex> traces);

// One step in full, slice by slice: the slowest, the median and the fastest of all processes.

struct StepViews {
  std::vector<result::StepView> views;
  std::vector<result::CriticalPath> paths; ///< of the same steps, where something happens in them
};

/// Slowest, median, fastest, then others up to kMaxStepViews; "only" where there is but one step,
/// no median where there are two. Where no trace has steps, the beginning of the first one that has
/// slices.
StepViews step_views(std::span<const TraceIndex> traces,
                     std::size_t most_slices = result::kMaxStepSlices);

inline constexpr std::size_t kMaxStepViews = 12;

/// Adds to the slowest, the median and the fastest view what other processes did meanwhile, on its
/// clock, the latest to collectives first.
void add_other_ranks(std::span<const TraceIndex> traces,
                     const std::vector<result::StragglerRow>& stragglers,
                     std::vector<result::StepView>& views);

// Which operators are inside of which.

/// By GPU time, or by CPU time where there is no GPU work. What is less than 0.3% of it is left
/// out.
std::vector<result::OperatorStack> operator_stacks(std::span<const TraceIndex> traces);

// Where the host waits for the GPU: calls that synchronize, and copies from the GPU that block
// until it has caught up.

/// When some thread of the host is blocked so, within profiled steps.
IntervalSet<Nanoseconds> host_blocked(const TraceIndex& index);

/// Whether the host waits for a copy: from the GPU, for an operator that needs the values, and not
/// asynchronously to pinned memory. Its launch has to be known.
bool copy_blocks(const TraceIndex& index, std::int32_t memcpy);

/// "cudaStreamSynchronize", "hipDeviceSynchronize", "cuCtxSynchronize". Queries return at once.
bool is_synchronizing(std::string_view call);

/// Most time first, the first kMaxTraceRows. Of calls that begin in a profiled step: the profiler
/// itself waits for the GPU when it stops. A wait inside of another counts once, as the outer one.
/// Copies count where they are from the GPU, under aten::item, aten::_local_scalar_dense, aten::to,
/// aten::_to_copy or aten::copy_, and block: asynchronous ones to pinned memory do not.
std::vector<result::SyncRow> sync_rows(std::span<const TraceIndex> traces);

} // namespace debrief::aggregate
