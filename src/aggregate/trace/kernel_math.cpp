// What a kernel multiplies with: precision and tensor cores, by its name.
#include "aggregate/trace/kernel_names.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace debrief::aggregate {

namespace {

bool has(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return has(text, part); });
}

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether `part` stands somewhere with one of `letters` right before it.
bool has_after(std::string_view text, std::string_view letters, std::string_view part) {
  for (std::size_t at = text.find(part, 1); at != text.npos; at = text.find(part, at + 1))
    if (has(letters, text.substr(at - 1, 1))) return true;
  return false;
}

/// Whether `part` stands somewhere without one of `letters` right before it.
bool has_not_after(std::string_view text, std::string_view letters, std::string_view part) {
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    if (at == 0 || !has(letters, text.substr(at - 1, 1))) return true;
  return false;
}

/// Whether `word` stands somewhere as a word of its own; "float2" counts as float.
bool has_type(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool ends = end == text.size() || !is_word(text[end]) ||
                      (text[end] >= '2' && text[end] <= '4' &&
                       (end + 1 == text.size() || !is_word(text[end + 1])));
    if (ends && (at == 0 || !is_word(text[at - 1]))) return true;
  }
  return false;
}

/// Up to the end of the template arguments, where there are any.
std::string_view without_parameters(std::string_view name) {
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] == '<') ++depth;
    if (name[i] == '>' && depth > 0 && --depth == 0 && i + 1 < name.size() && name[i + 1] == '(')
      return name.substr(0, i + 1);
  }
  return name;
}

/// cuBLAS's "nvjet_sm90_tst_…", "nvjet_hsh_…": the type of the first operand is the first letter.
std::string_view nvjet_precision(std::string_view name) {
  std::size_t at = name.find("nvjet_");
  if (at == name.npos) return {};
  at += std::string_view{"nvjet_"}.size();
  if (name.substr(at).starts_with("sm")) at = std::min(name.find('_', at), name.size() - 1) + 1;
  if (at >= name.size()) return {};
  switch (name[at]) {
  case 't':
    return "bf16";
  case 'h':
    return "fp16";
  case 'q':
  case 'r':
    return "fp8";
  case 's':
    return "tf32"; // there are no matrix instructions for whole fp32
  case 'd':
    return "fp64";
  default:
    return {};
  }
}

/// AMD's Tensile: "Cijk_Ailk_Bljk_SB_MT64x64x32_…": the types follow the indices.
std::string_view tensile_precision(std::string_view name) {
  if (!name.starts_with("Cijk_")) return {};
  std::size_t at = 0;
  for (int i = 0; i < 3 && at != name.npos; ++i)
    at = name.find('_', at == 0 ? 0 : at + 1);
  if (at == name.npos) return {};
  const std::string_view rest = name.substr(at + 1);
  if (rest.starts_with("I8")) return "int8";
  if (rest.starts_with("F8") || rest.starts_with("B8")) return "fp8";
  switch (rest.empty() ? ' ' : rest[0]) {
  case 'S':
    return "fp32";
  case 'D':
    return "fp64";
  case 'H':
    return "fp16";
  case 'B':
    return "bf16";
  default:
    return {};
  }
}

constexpr std::array<std::string_view, 8> kMatrixShapes = {"884",   "1688",  "16816",  "8816",
                                                           "16832", "16864", "161616", "8832"};

} // namespace

std::string_view kernel_precision(std::string_view whole) {
  const std::string_view name = without_parameters(whole);
  for (const std::string_view by_library : {nvjet_precision(name), tensile_precision(name)})
    if (!by_library.empty()) return by_library;
  if (has_any(name, {"e2m1", "E2m1", "fp4", "Float4_"})) return "fp4";
  if (has_any(name, {"e4m3", "E4m3", "e5m2", "E5m2", "fp8", "FP8", "Float8"})) return "fp8";
  if (has_any(name, {"int8", "i8816", "i16832", "i8832", "imma", "_s8_", "s8s8", "i8i8",
                     "signed char"}) &&
      !has(name, "uint8"))
    return "int8";
  if (has_any(name, {"bf16", "bfloat16", "BFloat16", "Bfloat16"})) return "bf16";
  if (has_any(name, {"fp16", "c10::Half", "half_t", "hgemm", "h884", "h1688", "h16816"}) ||
      has_not_after(name, "b", "f16") || has_type(name, "__half") || has_type(name, "half"))
    return "fp16";
  if (has_any(name, {"tf32", "tfloat32"})) return "tf32";
  const bool typed = has_any(name, {"sgemm", "scudnn", "ffma"}) ||
                     has_not_after(name, "t", "f32") || has_type(name, "float");
  if (has(name, "s1688") && !typed) return "tf32";
  if (has(name, "s884") && !typed) return "fp16";
  if (typed) return "fp32";
  if (has_any(name, {"f64", "dgemm", "d884", "dmma"}) || has_type(name, "double")) return "fp64";
  return "unknown";
}

namespace {

/// Of a type that CUDA cores multiply as well: its name has to say more.
bool is_narrow(std::string_view precision) {
  return precision != "fp32" && precision != "fp64" && precision != "unknown";
}

bool is_matrix_kernel(std::string_view name) {
  if (name.starts_with("Cijk_")) {
    const std::size_t at = name.find("_MI");
    return at != name.npos && at + 3 < name.size() && name[at + 3] >= '1' && name[at + 3] <= '9';
  }
  if (has_any(name, {"hmma",         "imma",      "dmma",
                     "gmma",         "Gmma",      "mfma",
                     "wmma",         "xdl",       "Xdl",
                     "Umma",         "tensorop",  "nvjet_",
                     "flash_fwd",    "flash_bwd", "FlashAttn",
                     "FmhaFwd",      "FmhaBwd",   "fmhaSm",
                     "_matmul_ogs_", "marlin",    "Marlin",
                     "deep_gemm::",  "attn_fwd",  "attn_bwd",
                     "_gtcx",        "wgmma",     "unified_attention"}))
    return true;
  // CUTLASS writes "OpClassTensorOp"; MIOpen's "SubTensorOpWithSubTensorGeneric" only adds.
  if (has(name, "TensorOp") && !has(name, "SubTensorOp")) return true;
  const bool narrow = is_narrow(kernel_precision(name));
  if (has_any(name, {"xmma", "fmha_cutlass"})) return narrow && !has(name, "ffma");
  if (name.starts_with("bmm_") || has(name, "::bmm_")) return narrow; // of TensorRT-LLM
  return std::any_of(kMatrixShapes.begin(), kMatrixShapes.end(),
                     [&](std::string_view shape) { return has_after(name, "hsidc", shape); });
}

bool is_plain_kernel(std::string_view name) {
  if (name.starts_with("Cijk_")) return true; // without a matrix instruction
  if (has_any(name, {"sgemm", "scudnn", "ffma", "_simt_", "dgemm", "gemv"})) return true;
  return has_any(name, {"elementwise", "Elementwise",  "reduce",      "Reduce",
                        "copy",        "Copy",         "softmax",     "Softmax",
                        "SoftMax",     "norm",         "Norm",        "multi_tensor_apply",
                        "nccl",        "rccl",         "triton_poi_", "triton_red_",
                        "triton_per_", "SubTensorOp",  "memset",      "index",
                        "Index",       "sort",         "Sort",        "scan",
                        "gather",      "scatter",      "embedding",   "Embedding",
                        "dropout",     "Dropout",      "fill",        "Fill",
                        "transpose",   "Transpose",    "permute",     "rotary",
                        "rope",        "CatArray",     "topk",        "TopK",
                        "pool",        "Pool",         "upsample",    "distribution",
                        "histogram",   "compact",      "unique",      "nonzero",
                        "activation",  "Activation",   "silu",        "gelu",
                        "quant",       "cast",         "winograd",    "Winograd",
                        "wgrad_alg",   "dgrad_engine", "dgrad2d_alg"});
}

} // namespace

std::optional<bool> uses_tensor_cores(std::string_view name) {
  if (is_matrix_kernel(name)) return true;
  if (is_plain_kernel(without_parameters(name))) return false;
  return std::nullopt;
}

} // namespace debrief::aggregate
