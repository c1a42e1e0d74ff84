// What a kernel's name says: a short form for reading, the precision it computes in, whether it
// uses tensor cores. Names are untrusted: of any length, with any brackets. All is linear in them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::aggregate {

/// Short names are no longer than this many bytes; what is too long loses its middle.
inline constexpr std::size_t kMaxShortName = 80;

/// Without return type, namespaces, template arguments and parameters. Kernels that run what their
/// template arguments name are followed by it:
///   "vectorized_elementwise_kernel: CUDAFunctor_add",
///   "multi_tensor_apply_kernel: BinaryOpListAlphaFunctor, plus".
/// Names of libraries, which have tile and type in them, stay: "volta_sgemm_64x64_nt",
/// "cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1". Never empty for a name that is not.
std::string short_kernel_name(std::string_view name);

/// "fp4", "fp8", "int8", "bf16", "fp16", "tf32", "fp32", "fp64", or "unknown" where the name does
/// not say. Where it has several types, the narrowest: that is what is read and multiplied, and the
/// wider ones are accumulators. Parameters do not count where there are template arguments: scalars
/// are float in kernels of any type.
std::string_view kernel_precision(std::string_view name);

/// Whether a kernel multiplies with matrix instructions, as far as its name tells; nothing where it
/// does not.
///
/// It does:
///  - the instruction's shape after the type: s884, h1688, s16816, i8816, i16832, d884, …;
///  - hmma, imma, dmma, gmma (wgmma), mfma, wmma, xdl, umma; "tensorop"; cuBLAS's nvjet (Hopper and
///    on); MIOpen's igemm…gtcx;
///  - xmma kernels of a type that only matrix units multiply: tf32, fp16, bf16, fp8, int8;
///  - flash attention, memory-efficient attention (fmha_cutlass) in 16 bits, TensorRT-LLM's fmha
///  and
///    bmm of 16 bits or less, Triton's attention and grouped products (attn_fwd, _matmul_ogs_),
///    Marlin, DeepGEMM;
///  - AMD's Tensile kernels (Cijk_…) with a matrix instruction (_MI16x16x…).
///
/// It does not: elementwise, reducing, copying and sorting kernels, normalization, softmax,
/// optimizers, collectives, Inductor's pointwise and reduction kernels, products in whole fp32
/// (sgemm, ffma, simt).
std::optional<bool> uses_tensor_cores(std::string_view name);

} // namespace debrief::aggregate
