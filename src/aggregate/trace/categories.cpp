#include "aggregate/trace/categories.h"

#include "aggregate/trace/figures.h"
#include "util/time.h"

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <string>

namespace debrief::aggregate {

namespace {

using result::WorkCategory;

bool names_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool is_any(std::string_view text, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), text) != names.end();
}

/// "aten::_foreach_add_" -> "foreach_add": without the marks of private and in-place operators.
std::string_view bare_name(std::string_view op) {
  while (op.starts_with('_'))
    op.remove_prefix(1);
  while (op.ends_with('_'))
    op.remove_suffix(1);
  return op;
}

bool is_normalization(std::string_view name) {
  return names_any(name, {"batch_norm", "layer_norm", "group_norm", "instance_norm", "rms_norm",
                          "weight_norm", "local_response_norm", "rmsnorm", "layernorm"});
}

std::optional<WorkCategory> torch_category(std::string_view op) {
  const std::string_view name = bare_name(op.substr(op.find("::") + 2));
  if (name.find("attention") != name.npos) return WorkCategory::attention;
  if (is_tensor_core_eligible(op))
    return name.find("conv") != name.npos ? WorkCategory::convolution : WorkCategory::gemm;
  if (is_normalization(name)) return WorkCategory::normalization;
  if (is_any(name, {"copy",
                    "to_copy",
                    "to",
                    "clone",
                    "contiguous",
                    "cat",
                    "stack",
                    "fill",
                    "zero",
                    "zeros",
                    "zeros_like",
                    "ones",
                    "ones_like",
                    "full",
                    "full_like",
                    "repeat",
                    "constant_pad_nd",
                    "roll",
                    "flip",
                    "foreach_copy",
                    "foreach_zero",
                    "chunk_cat",
                    "split_with_sizes_copy",
                    "reshape",
                    "slice_backward",
                    "select_backward",
                    "pin_memory"}))
    return WorkCategory::copy;
  if (name.starts_with("embedding") || name.starts_with("scatter") || name.starts_with("index") ||
      is_any(name, {"gather", "gather_backward", "take", "take_along_dim", "masked_select"}))
    return WorkCategory::embedding;
  if (names_any(name, {"softmax", "loss", "cross_entropy"}) ||
      is_any(
          name,
          {"sum",          "mean",      "max",           "min",     "amax",   "amin",
           "argmax",       "argmin",    "aminmax",       "prod",    "std",    "var",
           "std_mean",     "var_mean",  "all",           "any",     "norm",   "linalg_vector_norm",
           "foreach_norm", "logsumexp", "cumsum",        "cumprod", "topk",   "sort",
           "argsort",      "bincount",  "count_nonzero", "histc",   "unique", "unique2",
           "nonzero"}))
    return WorkCategory::reduction;
  if (name.starts_with("foreach_") || name.starts_with("fused_") || name == "amp_update_scale")
    return WorkCategory::elementwise; // optimizers
  return std::nullopt;                // its kernels tell
}

/// Inductor's kernels say in their names how they loop, and what was fused into them.
std::optional<WorkCategory> triton_category(std::string_view name) {
  if (names_any(name, {"flex_attention", "attention"})) return WorkCategory::attention;
  if (name.starts_with("triton_tem_")) {
    if (name.find("conv") != name.npos) return WorkCategory::convolution;
    return WorkCategory::gemm;
  }
  if (is_normalization(name)) return WorkCategory::normalization;
  if (name.starts_with("triton_red_") || name.starts_with("triton_per_"))
    return WorkCategory::reduction;
  if (name.starts_with("triton_poi_fused_embedding")) return WorkCategory::embedding;
  if (name.starts_with("triton_poi_")) return WorkCategory::elementwise;
  return std::nullopt;
}

/// FBGEMM's operators and kernels are of recommenders' lookups, though it has "gemm" in its name.
std::optional<WorkCategory> fbgemm_category(std::string_view name) {
  if (!names_any(name, {"fbgemm", "SplitLookupFunction", "split_embedding"})) return std::nullopt;
  return names_any(name, {"f8f8", "bf16bf16", "i8i8", "cutlass"}) ? WorkCategory::gemm
                                                                  : WorkCategory::embedding;
}

/// Words that libraries of others use in the names of operators.
std::optional<WorkCategory> custom_category(std::string_view op) {
  if (const auto found = fbgemm_category(op)) return found;
  if (names_any(op, {"moe_forward", "fused_moe"})) return std::nullopt; // all sorts of kernels
  if (names_any(op, {"reshape_and_cache", "concat_and_cache", "copy_blocks"}))
    return WorkCategory::copy;
  if (names_any(op, {"attention", "Attention", "attn", "Attn", "fmha", "::mha_", "mla_decode"}))
    return WorkCategory::attention;
  if (is_normalization(op) || names_any(op, {"RMSNorm", "LayerNorm"}))
    return WorkCategory::normalization;
  if (names_any(op, {"rotary", "rope", "Rope", "silu", "gelu", "SwiGLU", "swiglu", "_quant"}))
    return WorkCategory::elementwise;
  if (names_any(op, {"gemm", "scaled_mm", "matmul", "MatMul", "::linear"}))
    return WorkCategory::gemm;
  if (names_any(op, {"conv1d", "conv2d", "conv3d"})) return WorkCategory::convolution;
  if (names_any(op, {"embedding", "Embedding"})) return WorkCategory::embedding;
  return std::nullopt;
}

} // namespace

std::optional<WorkCategory> operator_category(std::string_view op) {
  if (op.starts_with("aten::")) return torch_category(op);
  if (op.starts_with("triton_")) return triton_category(op);
  if (op.empty() || op.starts_with("autograd::engine::")) return std::nullopt;
  return custom_category(op);
}

std::optional<WorkCategory> kernel_category(std::string_view kernel) {
  if (kernel.starts_with("triton_")) return triton_category(kernel);
  if (const auto found = fbgemm_category(kernel)) return found;
  if (names_any(kernel, {"fmha", "Fmha", "flash_fwd", "flash_bwd", "FlashAttn", "attn_fwd",
                         "attn_bwd", "attention", "Attention", "mla_decode"}))
    return WorkCategory::attention;
  if (names_any(kernel,
                {"layer_norm", "LayerNorm", "rms_norm", "RMSNorm", "rmsnorm", "batch_norm",
                 "BatchNorm", "GroupNorm", "group_norm", "bn_fw", "bn_bw", "RowwiseMoments",
                 "GammaBeta", "layernorm", "ComputeFusedParams", "ComputeInternalGradients"}))
    return WorkCategory::normalization;
  if (names_any(kernel, {"conv", "Conv", "dgrad", "wgrad", "fprop", "winograd", "Winograd",
                         "igemm_", "scudnn", "im2col", "Im2d2Col", "Im2Col", "nchwToNhwc",
                         "nhwcToNchw", "cudnn::cnn"}))
    return WorkCategory::convolution;
  if (names_any(kernel, {"gemm", "Gemm", "GEMM", "Cijk_", "nvjet", "matmul", "splitK", "gemv",
                         "bmm_", "cutlass_", "marlin", "Marlin", "fused_moe", "xmma"}))
    return WorkCategory::gemm;
  if (names_any(kernel, {"copy", "Copy", "FillFunctor", "transpose", "Transpose", "permute",
                         "memset", "Memset", "memcpy", "reshape_and_cache", "SubTensorOp"}))
    return WorkCategory::copy;
  if (names_any(kernel, {"rotary", "rope", "Rope"})) return WorkCategory::elementwise;
  if (names_any(kernel, {"embedding", "Embedding", "indexSelect", "index_", "indexFunc", "gather",
                         "Gather", "scatter", "Scatter"}))
    return WorkCategory::embedding;
  if (names_any(kernel,
                {"reduce", "Reduce", "softmax", "SoftMax", "Softmax", "nll_loss", "scan", "Scan",
                 "sort", "Sort", "topk", "TopK", "topK", "radix", "histogram", "LpNorm"}))
    return WorkCategory::reduction;
  if (names_any(kernel, {"elementwise", "Elementwise", "multi_tensor_apply", "dropout", "Dropout",
                         "silu", "gelu", "act_and_mul", "activation", "distribution", "quant",
                         "pointwise", "adam", "Adam"}))
    return WorkCategory::elementwise;
  return std::nullopt;
}

WorkCategory work_category(std::string_view kernel, std::string_view op, bool communicates) {
  if (communicates) return WorkCategory::communication;
  if (const auto by_op = operator_category(op)) return *by_op;
  return kernel_category(kernel).value_or(WorkCategory::other);
}

WorkCategory WorkCategories::of(std::size_t work) {
  const job::Slice& slice = index_.trace.slices[work];
  if (slice.kind != job::SliceKind::kernel) return WorkCategory::copy;
  if (index_.roles.of(work) == Role::communication) return WorkCategory::communication;
  if (const std::int32_t op = index_.op[work]; op != TraceIndex::kNone) {
    Known& known = by_op_[static_cast<std::size_t>(slice_at(index_, op).name)];
    if (!known.asked) known = {true, operator_category(index_.name(op))};
    if (known.category) return *known.category;
  }
  Known& known = by_kernel_[static_cast<std::size_t>(slice.name)];
  if (!known.asked) known = {true, kernel_category(index_.trace.names[slice.name])};
  return known.category.value_or(WorkCategory::other);
}

WorkCategory SliceCategories::of(std::int32_t slice) {
  const auto at = static_cast<std::size_t>(slice);
  const job::Slice& one = index_.trace.slices[at];
  if (one.kind == job::SliceKind::memcpy || one.kind == job::SliceKind::memset)
    return WorkCategory::copy;
  const bool kernel = one.kind == job::SliceKind::kernel;
  if (!kernel && one.kind != job::SliceKind::op) return WorkCategory::other;
  if (kernel && index_.roles.of(at) == Role::communication) return WorkCategory::communication;
  const std::int32_t op = kernel ? index_.op[at] : slice;
  const auto op_name = op == TraceIndex::kNone ? std::int32_t{-1} : slice_at(index_, op).name;
  const std::uint64_t key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(one.name)) << 32 |
                            static_cast<std::uint32_t>(op_name);
  const auto [known, is_new] = known_.emplace(key, WorkCategory::other);
  if (is_new) {
    const std::string_view op_words =
        op == TraceIndex::kNone ? std::string_view{} : index_.name(op);
    known->second = kernel ? work_category(index_.name(slice), op_words, false)
                           : operator_category(op_words).value_or(WorkCategory::other);
  }
  return known->second;
}

void CategorySums::add(const CategorySums& other) {
  if (other.sums_.empty()) return;
  sums_.resize(result::kWorkCategories);
  for (std::size_t i = 0; i < sums_.size(); ++i) {
    sums_[i].time += other.sums_[i].time;
    sums_[i].calls += other.sums_[i].calls;
  }
}

std::optional<WorkCategory> CategorySums::most() const {
  std::optional<std::size_t> most;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (sums_[i].calls > 0 && (!most || sums_[i].time > sums_[*most].time)) most = i;
  return most ? std::optional{static_cast<WorkCategory>(*most)} : std::nullopt;
}

std::vector<result::CategoryShare> CategorySums::shares() const {
  Nanoseconds all{};
  for (const Sum& sum : sums_)
    all += sum.time;
  std::vector<result::CategoryShare> out;
  for (std::size_t i = 0; i < sums_.size(); ++i)
    if (const Sum& sum = sums_[i]; sum.calls > 0)
      out.push_back({static_cast<WorkCategory>(i), sum.calls, in_microseconds(sum.time),
                     all > Nanoseconds{} ? 100 * quotient(sum.time, all) : 0});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.us > b.us; });
  return out;
}

} // namespace debrief::aggregate
