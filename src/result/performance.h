// How fast the operators of a PyTorch trace ran on the GPU: what their shapes say that they
// computed and moved, against what the GPU can do; and what GPU time was for.
#pragma once

#include "result/enum_names.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// What GPU work is for. Every kernel, copy and set is of one of them.
enum class WorkCategory {
  gemm, ///< products of matrices
  attention,
  convolution,
  normalization,
  elementwise,
  reduction,     ///< sums, maxima, softmax, sorting, losses
  embedding,     ///< lookups: embeddings, gather, scatter, indexing
  communication, ///< between GPUs
  copy,          ///< copies, sets, casts, concatenation: moves data and computes nothing
  other
};

template <>
inline constexpr auto kNames<WorkCategory> =
    std::to_array<const char*>({"gemm", "attention", "convolution", "normalization", "elementwise",
                                "reduction", "embedding", "communication", "copy", "other"});

inline constexpr std::size_t kWorkCategories = kNames<WorkCategory>.size();

/// A part of all GPU work.
struct CategoryShare {
  WorkCategory category = WorkCategory::other;
  std::int64_t calls = 0; ///< kernels, copies and sets
  double us = 0;
  double percent = 0;
};

/// `batch` products of m × k by k × n.
struct MatrixProduct {
  std::int64_t batch = 0;
  std::int64_t m = 0;
  std::int64_t n = 0;
  std::int64_t k = 0;
};

/// Which of the GPU's limits is the nearer one for what an operator computes per byte.
enum class Roof { compute, memory };

template <>
inline constexpr auto kNames<Roof> = std::to_array<const char*>({"compute", "memory"});

/// The calls of one operator with the same inputs, in all processes, on one model of GPU.
struct OperatorPerformance {
  std::string name;
  std::string shapes; ///< as TraceOperator's
  std::string gpu;    ///< as its trace names it; empty: not recorded
  WorkCategory category = WorkCategory::other;
  std::string precision; ///< that it computes in: "bf16", "tf32"; empty: its types do not say
  std::int64_t calls = 0;
  double us = 0;      ///< all GPU work that these calls launched
  double percent = 0; ///< of all GPU work
  std::optional<MatrixProduct> product;
  std::optional<double> flops; ///< of one call; absent: the inputs do not tell
  std::optional<double> bytes; ///< of one call, each input read and each output written once
  std::optional<double> tflops_per_second;
  std::optional<double> tb_per_second;
  std::optional<double> intensity; ///< FLOPs per byte
  /// Of the GPU's peak for matrices of this precision; absent: not known, or not such work.
  std::optional<double> peak_percent;
  /// Of the memory's bandwidth; absent: not known, or data came out of caches faster than that.
  std::optional<double> bandwidth_percent;
  std::optional<Roof> roof;
};

struct PrecisionPeak {
  std::string precision;
  double tflops = 0; ///< dense, per second
};

/// What a GPU of the job can do at best.
struct GpuPeaks {
  std::string gpu;   ///< as its traces name it
  std::string model; ///< the row of docs/performance.md; empty: none fits
  std::vector<PrecisionPeak> compute;
  std::optional<double> tb_per_second; ///< of its memory
};

/// What the matrix products, attention and convolutions of one step computed.
struct StepFlops {
  std::string process;
  std::optional<std::int64_t> number; ///< absent: the whole trace, which has no steps
  double us = 0;                      ///< how long it took: StepBreakdown::us
  double flops = 0;
  std::string precision; ///< that most of them are in
  std::int64_t gpus = 1; ///< of the process
  /// Of the GPU time of such work that the step launched, in percent: the FLOPs of this much are
  /// known.
  double known_percent = 0;
  /// Of what its GPUs could have computed meanwhile in this precision, in percent; absent: their
  /// peak is not known, or less than kKnownEnough of the work is.
  std::optional<double> utilization;
};

inline constexpr double kKnownEnough = 90; ///< percent

struct Performance {
  std::vector<OperatorPerformance> rows; ///< most GPU time first; the first kMaxTraceRows
  std::int64_t combinations = 0;         ///< of operator, inputs and GPU, listed or not
  // These sum to all GPU work.
  double known_us = 0;          ///< of operators whose work is known: FLOPs, bytes or both
  double without_shapes_us = 0; ///< of operators whose shapes or types were not recorded
  double without_formula_us = 0;
  double outside_us = 0; ///< that no operator launched: CUDA graphs, launches that are not recorded
  std::vector<GpuPeaks> gpus;   ///< one for each name
  std::vector<StepFlops> steps; ///< that have such FLOPs; by trace, then time
  /// Of all these steps together, in percent; absent: not known of every one.
  std::optional<double> utilization;
};

} // namespace debrief::result
