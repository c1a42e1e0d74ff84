// What multiplies matrices: products, attention, convolutions.
#include "aggregate/trace/operator_work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace debrief::aggregate {

namespace {

constexpr std::size_t kAbsent = 99; ///< the operator has no such input

/// As an integer of the result; what no memory can hold is none.
std::int64_t whole(double size) {
  constexpr double kMost = 9e15;
  return size <= kMost ? static_cast<std::int64_t>(size) : 0;
}

// Products.

struct ProductLayout {
  std::string_view name;
  std::size_t a; ///< [batch…, m, k]
  std::size_t b; ///< [batch…, k, n]
  std::size_t bias = kAbsent;
  bool b_transposed = false; ///< [n, k]
};

constexpr std::array<ProductLayout, 14> kProducts = {{{"aten::mm", 0, 1},
                                                      {"aten::addmm", 1, 2, 0},
                                                      {"aten::_addmm_activation", 1, 2, 0},
                                                      {"aten::bmm", 0, 1},
                                                      {"aten::baddbmm", 1, 2, 0},
                                                      {"aten::matmul", 0, 1},
                                                      {"aten::linear", 0, 1, 2, true},
                                                      {"aten::mv", 0, 1},
                                                      {"aten::addmv", 1, 2, 0},
                                                      {"aten::_scaled_mm", 0, 1},
                                                      {"aten::_int_mm", 0, 1},
                                                      {"aten::_grouped_mm", 0, 1},
                                                      {"aten::_scaled_grouped_mm", 0, 1},
                                                      {"_C::cutlass_scaled_mm", 1, 2}}};

/// m × k by k × n of what is recorded; nothing where the shapes do not fit each other.
struct Product {
  double batch = 1;
  double m = 1;
  double n = 1;
  double k = 0;
};

std::optional<Product> product_of(const std::vector<double>& a, std::vector<double> b,
                                  bool b_transposed) {
  if (a.empty() || b.empty()) return std::nullopt;
  if (b_transposed && b.size() >= 2) std::swap(b[b.size() - 1], b[b.size() - 2]);
  Product out;
  out.k = a.back();
  if (a.size() >= 2) out.m = a[a.size() - 2];
  const double k_of_b = b.size() >= 2 ? b[b.size() - 2] : b.back();
  if (b.size() >= 2) out.n = b.back();
  if (k_of_b != out.k) return std::nullopt;
  // Batches are broadcast; rows of a batched `a` that meet one matrix are rows of one product.
  for (std::size_t back = 3; back <= std::max(a.size(), b.size()); ++back) {
    const double of_a = a.size() >= back ? a[a.size() - back] : 1;
    const double of_b = b.size() >= back ? b[b.size() - back] : 1;
    if (of_a != of_b && of_a != 1 && of_b != 1) return std::nullopt;
    (b.size() <= 2 ? out.m : out.batch) *= std::max(of_a, of_b);
  }
  return out;
}

OperatorWork product_work(const OperatorInputs& inputs, const void* layout) {
  const auto& at = *static_cast<const ProductLayout*>(layout);
  const OperatorInput* a = tensor_at(inputs, at.a);
  const OperatorInput* b = tensor_at(inputs, at.b);
  if (a == nullptr || b == nullptr) return {};
  std::optional<Product> found;
  // Rows are dealt out among the groups' matrices: each meets one of them.
  if (at.name.find("grouped") != at.name.npos)
    found = a->dims.size() == 2 && b->dims.size() == 3
                ? product_of(a->dims, {b->dims[1], b->dims[2]}, false)
                : std::nullopt;
  else
    found = product_of(a->dims, b->dims, at.b_transposed);
  if (!found) return {};
  OperatorWork work;
  const double results = found->batch * found->m * found->n;
  const OperatorInput* bias = tensor_at(inputs, at.bias);
  work.flops = 2 * results * found->k + (bias != nullptr ? results : 0);
  work.product = {whole(found->batch), whole(found->m), whole(found->n), whole(found->k)};
  work.precision = type_precision(a->type);
  // Of 8 bits: bf16 comes out of floating point, int32 of integers.
  double result_bytes = a->element_bytes;
  if (work.precision == "fp8") result_bytes = 2;
  if (work.precision == "int8") result_bytes = 4;
  if (a->element_bytes > 0 && b->element_bytes > 0)
    work.bytes =
        a->bytes() + b->bytes() + results * result_bytes + (bias != nullptr ? bias->bytes() : 0);
  return work;
}

// Attention.

struct AttentionLayout {
  std::string_view name;
  std::size_t q;         ///< k and v follow
  bool heads_first;      ///< [batch, heads, length, size], else [batch, length, heads, size]
  std::size_t causal;    ///< a flag, or the kind of mask: 0 is none
  std::size_t sequences; ///< where lengths differ: cumulated, and not to be known from shapes
  bool backward = false;
};

constexpr std::array<AttentionLayout, 17> kAttentions = {{
    {"aten::scaled_dot_product_attention", 0, true, 5, kAbsent},
    {"aten::_scaled_dot_product_flash_attention", 0, true, 4, kAbsent},
    {"aten::_scaled_dot_product_efficient_attention", 0, true, 6, kAbsent},
    {"aten::_scaled_dot_product_cudnn_attention", 0, true, 6, kAbsent},
    {"aten::_flash_attention_forward", 0, false, 8, 3},
    {"aten::_efficient_attention_forward", 0, false, 9, 4},
    {"aten::_cudnn_attention_forward", 0, true, 10, 4},
    {"flash_attn::_flash_attn_forward", 0, false, 5, kAbsent},
    {"FlashAttnFunc", 0, false, 5, kAbsent},
    {"aiter::mha_fwd", 0, false, 5, kAbsent},
    {"aten::_scaled_dot_product_flash_attention_backward", 1, true, 11, 6, true},
    {"aten::_scaled_dot_product_efficient_attention_backward", 1, true, 11, kAbsent, true},
    {"aten::_scaled_dot_product_cudnn_attention_backward", 1, true, 14, 9, true},
    {"aten::_flash_attention_backward", 1, false, 11, 6, true},
    {"aten::_efficient_attention_backward", 1, false, 14, 6, true},
    {"flash_attn::_flash_attn_backward", 1, false, 11, kAbsent, true},
    {"aiter::mha_bwd", 1, false, 8, kAbsent, true},
}};

/// Pairs of a query and a key that see each other. A causal mask leaves those below the diagonal
/// from the first query and key on; the diagonal itself is counted half, as is usual.
double visible_pairs(double queries, double keys, bool causal) {
  if (!causal) return queries * keys;
  if (queries <= keys) return queries * queries / 2;
  return keys * keys / 2 + (queries - keys) * keys;
}

OperatorWork attention_work(const OperatorInputs& inputs, const void* layout) {
  const auto& at = *static_cast<const AttentionLayout*>(layout);
  const OperatorInput* q = tensor_at(inputs, at.q);
  const OperatorInput* k = tensor_at(inputs, at.q + 1);
  const OperatorInput* v = tensor_at(inputs, at.q + 2);
  if (q == nullptr || k == nullptr || v == nullptr) return {};
  if (q->dims.size() != 4 || k->dims.size() != 4 || v->dims.size() != 4) return {};
  if (tensor_at(inputs, at.sequences) != nullptr) return {};
  const std::size_t length = at.heads_first ? 2 : 1;
  const std::size_t heads = at.heads_first ? 1 : 2;
  const double queries = q->dims[length];
  const double keys = k->dims[length];
  OperatorWork work;
  work.precision = type_precision(q->type);
  // q·kᵀ and the product with v; going back, the gradients of q, k, v and of the scores, and the
  // scores once more.
  const auto causal = flag_at(inputs, at.causal);
  const double per_pair =
      at.backward ? 2 * (3 * q->dims[3] + 2 * v->dims[3]) : 2 * (q->dims[3] + v->dims[3]);
  if (causal)
    work.flops = q->dims[0] * q->dims[heads] * visible_pairs(queries, keys, *causal) * per_pair;
  const double out = q->dims[0] * q->dims[heads] * queries * v->dims[3] * q->element_bytes;
  const double read = q->bytes() + k->bytes() + v->bytes();
  if (q->element_bytes > 0) work.bytes = at.backward ? 2 * read + 2 * out : read + out;
  return work;
}

// Convolutions.

struct ConvolutionLayout {
  std::string_view name;
  std::size_t bias;
  std::size_t stride;
  std::size_t padding;
  std::size_t dilation;
  std::size_t transposed = kAbsent;
  std::size_t output_padding = kAbsent;
};

constexpr std::array<ConvolutionLayout, 12> kConvolutions = {{
    {"aten::conv1d", 2, 3, 4, 5},
    {"aten::conv2d", 2, 3, 4, 5},
    {"aten::conv3d", 2, 3, 4, 5},
    {"aten::convolution", 2, 3, 4, 5, 6, 7},
    {"aten::_convolution", 2, 3, 4, 5, 6, 7},
    {"aten::cudnn_convolution", kAbsent, 3, 2, 4},
    {"aten::cudnn_convolution_relu", 2, 3, 4, 5},
    {"aten::cudnn_convolution_add_relu", 4, 5, 6, 7},
    {"aten::miopen_convolution", 2, 4, 3, 5},
    {"aten::miopen_convolution_relu", 2, 3, 4, 5},
    {"aten::miopen_depthwise_convolution", 2, 4, 3, 5},
    {"aten::_conv_depthwise2d", 3, 4, 5, 6},
}};

/// One number for every dimension of space, or one for each.
double of_dimension(const std::vector<double>& numbers, std::size_t dimension) {
  return numbers.size() == 1          ? numbers.front()
         : dimension < numbers.size() ? numbers[dimension]
                                      : NAN;
}

/// How many places a result has; nothing where the inputs do not tell.
std::optional<double> result_places(const ConvolutionLayout& at, const OperatorInputs& inputs,
                                    const OperatorInput& input, const OperatorInput& weight,
                                    bool transposed) {
  const auto stride = numbers_at(inputs, at.stride);
  const auto padding = numbers_at(inputs, at.padding);
  const auto dilation = numbers_at(inputs, at.dilation);
  if (!stride || !padding || !dilation) return std::nullopt;
  const auto extra = numbers_at(inputs, at.output_padding);
  double places = 1;
  for (std::size_t i = 0; i + 2 < input.dims.size(); ++i) {
    const double reach = of_dimension(*dilation, i) * (weight.dims[i + 2] - 1);
    const double step = of_dimension(*stride, i);
    const double pad = 2 * of_dimension(*padding, i);
    const double length = input.dims[i + 2];
    places *= transposed
                  ? (length - 1) * step - pad + reach + 1 + (extra ? of_dimension(*extra, i) : 0)
                  : std::floor((length + pad - reach - 1) / step) + 1;
  }
  return std::isfinite(places) && places > 0 ? std::optional{places} : std::nullopt;
}

double places_of(const OperatorInput& tensor) {
  const double of_one = tensor.dims[0] * tensor.dims[1];
  return of_one > 0 ? tensor.elements / of_one : 0;
}

/// Batch, channels, and one to three dimensions of space, in both.
bool are_images(const OperatorInput* input, const OperatorInput* weight) {
  return input != nullptr && weight != nullptr && input->dims.size() >= 3 &&
         input->dims.size() <= 5 && input->dims.size() == weight->dims.size();
}

OperatorWork convolution_work(const OperatorInputs& inputs, const void* layout) {
  const auto& at = *static_cast<const ConvolutionLayout*>(layout);
  const OperatorInput* input = tensor_at(inputs, 0);
  const OperatorInput* weight = tensor_at(inputs, 1);
  if (!are_images(input, weight)) return {};
  const bool transposed =
      at.transposed != kAbsent && flag_at(inputs, at.transposed).value_or(false);
  const auto places = result_places(at, inputs, *input, *weight, transposed);
  OperatorWork work;
  work.precision = type_precision(input->type);
  if (!places) return work;
  // Every weight meets every place of the result once; of a transposed one, every place of the
  // input. Groups are in the weight's shape.
  const double met = transposed ? places_of(*input) : *places;
  // Channels of the result: a transposed weight has those of one group in its second dimension.
  const auto groups = numbers_at(inputs, at.output_padding + 1);
  const double channels =
      transposed ? weight->dims[1] * (groups ? of_dimension(*groups, 0) : 1) : weight->dims[0];
  const double results = input->dims[0] * channels * *places;
  const OperatorInput* bias = tensor_at(inputs, at.bias);
  work.flops = 2 * input->dims[0] * met * weight->elements + (bias != nullptr ? results : 0);
  if (input->element_bytes > 0)
    work.bytes = input->bytes() + weight->bytes() + results * input->element_bytes +
                 (bias != nullptr ? bias->bytes() : 0);
  return work;
}

/// aten::convolution_backward(gradient, input, weight, bias sizes, stride, padding, dilation,
/// transposed, output padding, groups, which gradients are wanted).
OperatorWork convolution_backward_work(const OperatorInputs& inputs, const void*) {
  const OperatorInput* gradient = tensor_at(inputs, 0);
  const OperatorInput* input = tensor_at(inputs, 1);
  const OperatorInput* weight = tensor_at(inputs, 2);
  if (!are_images(input, weight) || gradient == nullptr) return {};
  if (gradient->dims.size() != input->dims.size()) return {};
  OperatorWork work;
  work.precision = type_precision(input->type);
  const auto transposed = flag_at(inputs, 7);
  if (!transposed || inputs.size() <= 10) return work;
  // "[True, True, False]": of the input, the weight, the bias.
  std::array<bool, 3> wanted{};
  std::size_t flags = 0;
  std::string_view text = inputs[10].value;
  for (; !text.empty() && flags < wanted.size(); text.remove_prefix(1))
    if (text.starts_with("True") || text.starts_with("False"))
      wanted[flags++] = text.front() == 'T';
  if (flags != wanted.size()) return work;
  const double met = places_of(*transposed ? *input : *gradient);
  const double products = 2 * input->dims[0] * met * weight->elements;
  work.flops =
      products * ((wanted[0] ? 1 : 0) + (wanted[1] ? 1 : 0)) + (wanted[2] ? gradient->elements : 0);
  if (input->element_bytes > 0)
    work.bytes = gradient->bytes() + (wanted[1] ? input->bytes() + weight->bytes() : 0) +
                 (wanted[0] ? weight->bytes() + input->bytes() : 0);
  return work;
}

template <typename Layouts>
const typename Layouts::value_type* layout_of(const Layouts& layouts, std::string_view op) {
  const auto found = std::find_if(layouts.begin(), layouts.end(),
                                  [&](const auto& layout) { return layout.name == op; });
  return found == layouts.end() ? nullptr : &*found;
}

} // namespace

WorkFormula matrix_formula(std::string_view op) {
  if (const auto* layout = layout_of(kProducts, op))
    return {product_work, layout, WorkKind::matrices};
  if (const auto* layout = layout_of(kAttentions, op))
    return {attention_work, layout, WorkKind::matrices};
  if (const auto* layout = layout_of(kConvolutions, op))
    return {convolution_work, layout, WorkKind::matrices};
  if (op == "aten::convolution_backward")
    return {convolution_backward_work, nullptr, WorkKind::matrices};
  return {};
}

} // namespace debrief::aggregate
