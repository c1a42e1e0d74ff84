// What computes little for each byte: normalization, elementwise operators, reductions, copies,
// lookups, and kernels of compilers.
#include "aggregate/trace/operator_work.h"

#include <algorithm>
#include <array>
#include <initializer_list>

namespace debrief::aggregate {

namespace {

/// How often an operator touches what it works on, and how much it computes meanwhile.
struct PassLayout {
  double flops_per_element; ///< of the first tensor
  double results;           ///< tensors like the first one that are written
  bool statistics = false;  ///< running mean and variance, inputs 3 and 4, are written as well
  std::size_t weight = 99;  ///< the weight, of which gradients are written
  double gradients = 0;     ///< of the weight's size: its own, and the bias's
};

OperatorWork pass_work(const OperatorInputs& inputs, const void* layout) {
  const auto& of = *static_cast<const PassLayout*>(layout);
  const OperatorInput* first = tensor_at(inputs, 0);
  if (first == nullptr) return {};
  OperatorWork work;
  work.precision = type_precision(first->type);
  work.flops = of.flops_per_element * first->elements;
  if (const auto read = bytes_of_tensors(inputs)) {
    work.bytes = *read + of.results * first->bytes();
    for (const std::size_t index : {3U, 4U})
      if (const OperatorInput* running = tensor_at(inputs, index); of.statistics && running)
        *work.bytes += running->bytes();
    if (const OperatorInput* weight = tensor_at(inputs, of.weight))
      *work.bytes += of.gradients * weight->bytes();
  }
  return work;
}

/// Reads its first input; the result is smaller by far, and how much its shape does not tell.
OperatorWork reduction_work(const OperatorInputs& inputs, const void*) {
  const OperatorInput* first = tensor_at(inputs, 0);
  if (first == nullptr) return {};
  OperatorWork work;
  work.precision = type_precision(first->type);
  work.flops = first->elements;
  work.bytes = bytes_of_tensors(inputs);
  return work;
}

/// The shape that all tensors are broadcast to: the longest in every dimension.
double broadcast_elements(const OperatorInputs& inputs) {
  std::vector<double> shape; // from the last dimension on
  for (const OperatorInput& input : inputs)
    for (std::size_t back = 0; input.tensor && back < input.dims.size(); ++back) {
      const double length = input.dims[input.dims.size() - 1 - back];
      if (back < shape.size())
        shape[back] = shape[back] == 1 ? length : shape[back];
      else
        shape.push_back(length);
    }
  double elements = 1;
  for (const double length : shape)
    elements *= length;
  return elements;
}

struct ElementLayout {
  bool truth;           ///< the result is a byte for each element
  std::size_t operands; ///< tensors beyond are where the result goes: not read; 0: all are read
};

/// Each tensor is read, and a result of the type of the widest is written.
OperatorWork element_work(const OperatorInputs& inputs, const void* layout) {
  const auto& of = *static_cast<const ElementLayout*>(layout);
  OperatorInputs operands;
  for (const OperatorInput& input : inputs)
    if (input.tensor && (of.operands == 0 || operands.size() < of.operands))
      operands.push_back(input);
  if (operands.empty()) return {};
  OperatorWork work;
  double widest = 0;
  for (const OperatorInput& input : operands) {
    // A number that was made a tensor does not decide the type.
    if (!input.dims.empty()) widest = std::max(widest, input.element_bytes);
    if (work.precision.empty()) work.precision = type_precision(input.type);
  }
  const double elements = broadcast_elements(operands);
  work.flops = elements;
  if (const auto read = bytes_of_tensors(operands); read && (widest > 0 || elements == 1))
    work.bytes = *read + elements * (of.truth ? 1 : widest);
  return work;
}

/// aten::copy_(to, from); aten::fill_(to, value).
OperatorWork copy_work(const OperatorInputs& inputs, const void*) {
  OperatorWork work;
  if (tensor_at(inputs, 0) == nullptr) return work;
  work.flops = 0;
  work.bytes = bytes_of_tensors(inputs);
  return work;
}

/// aten::embedding(weight, indices).
OperatorWork lookup_work(const OperatorInputs& inputs, const void*) {
  const OperatorInput* weight = tensor_at(inputs, 0);
  const OperatorInput* indices = tensor_at(inputs, 1);
  if (weight == nullptr || indices == nullptr || weight->dims.size() != 2) return {};
  OperatorWork work;
  work.precision = type_precision(weight->type);
  work.flops = 0;
  if (weight->element_bytes > 0 && indices->element_bytes > 0)
    work.bytes = indices->bytes() + 2 * indices->elements * weight->dims[1] * weight->element_bytes;
  return work;
}

/// aten::_embedding_bag(weight, indices, offsets): the rows of each bag are added.
OperatorWork bag_work(const OperatorInputs& inputs, const void*) {
  const OperatorInput* weight = tensor_at(inputs, 0);
  const OperatorInput* indices = tensor_at(inputs, 1);
  const OperatorInput* offsets = tensor_at(inputs, 2);
  if (weight == nullptr || indices == nullptr || offsets == nullptr || weight->dims.size() != 2)
    return {};
  OperatorWork work;
  work.precision = type_precision(weight->type);
  work.flops = indices->elements * weight->dims[1];
  if (weight->element_bytes > 0 && indices->element_bytes > 0 && offsets->element_bytes > 0)
    work.bytes = indices->bytes() + offsets->bytes() +
                 (indices->elements + offsets->elements) * weight->dims[1] * weight->element_bytes;
  return work;
}

/// aten::embedding_dense_backward(gradient, indices, …): each row is added to the weight's.
OperatorWork lookup_backward_work(const OperatorInputs& inputs, const void*) {
  const OperatorInput* gradient = tensor_at(inputs, 0);
  const OperatorInput* indices = tensor_at(inputs, 1);
  if (gradient == nullptr || indices == nullptr) return {};
  OperatorWork work;
  work.precision = type_precision(gradient->type);
  work.flops = gradient->elements;
  if (gradient->element_bytes > 0 && indices->element_bytes > 0)
    work.bytes = indices->bytes() + 2 * gradient->bytes();
  return work;
}

/// Operators that get the tensors they write as arguments: everything is touched once.
OperatorWork arguments_work(const OperatorInputs& inputs, const void*) {
  OperatorWork work;
  work.bytes = bytes_of_tensors(inputs);
  return work;
}

/// "triton_tem_fused_mm_3": m × k, k × n and the result m × n.
OperatorWork template_work(const OperatorInputs& inputs, const void*) {
  OperatorWork work = arguments_work(inputs, nullptr);
  std::vector<const OperatorInput*> matrices;
  for (const OperatorInput& input : inputs)
    if (input.tensor && input.dims.size() == 2) matrices.push_back(&input);
  if (matrices.size() != 3) return work;
  const auto& a = matrices[0]->dims;
  const auto& b = matrices[1]->dims;
  const auto& c = matrices[2]->dims;
  if (a[1] != b[0] || c[0] != a[0] || c[1] != b[1]) return work;
  work.flops = 2 * a[0] * a[1] * b[1];
  work.precision = type_precision(matrices[0]->type);
  constexpr double kMost = 9e15;
  if (std::max({a[0], a[1], b[1]}) < kMost)
    work.product = {1, static_cast<std::int64_t>(a[0]), static_cast<std::int64_t>(b[1]),
                    static_cast<std::int64_t>(a[1])};
  return work;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Of PyTorch, without "aten::" and, in place, without the "_" behind: of how many tensors an
/// elementwise operator is; 0 for others.
std::size_t element_operands(std::string_view name) {
  if (is_one_of(name, {"neg",        "abs",         "sign",       "exp",         "exp2",
                       "expm1",      "log",         "log2",       "log10",       "log1p",
                       "sqrt",       "rsqrt",       "square",     "reciprocal",  "sin",
                       "cos",        "tan",         "tanh",       "sigmoid",     "logit",
                       "erf",        "erfc",        "floor",      "ceil",        "round",
                       "trunc",      "frac",        "relu",       "relu6",       "leaky_relu",
                       "elu",        "selu",        "celu",       "gelu",        "silu",
                       "mish",       "softplus",    "softshrink", "hardshrink",  "hardtanh",
                       "hardswish",  "hardsigmoid", "threshold",  "log_sigmoid", "bitwise_not",
                       "nan_to_num", "glu"}))
    return 1;
  if (is_one_of(name, {"add",        "sub",         "rsub",         "mul",         "div",
                       "pow",        "fmod",        "remainder",    "maximum",     "minimum",
                       "fmax",       "fmin",        "atan2",        "hypot",       "bitwise_and",
                       "bitwise_or", "bitwise_xor", "floor_divide", "true_divide", "masked_scale"}))
    return 2;
  if (is_one_of(name, {"clamp", "clamp_min", "clamp_max", "lerp", "addcmul", "addcdiv", "where",
                       "masked_fill"}))
    return 3;
  return 0;
}

bool is_truth_operator(std::string_view name) {
  return is_one_of(name, {"eq", "ne", "lt", "le", "gt", "ge", "isnan", "isinf", "isfinite",
                          "logical_and", "logical_or", "logical_not", "logical_xor"});
}

bool is_normalization_operator(std::string_view name) {
  return is_one_of(name, {"layer_norm", "native_layer_norm", "batch_norm", "native_batch_norm",
                          "cudnn_batch_norm", "miopen_batch_norm", "_native_batch_norm_legit",
                          "_batch_norm_with_update", "_batch_norm_impl_index", "group_norm",
                          "native_group_norm", "instance_norm", "rms_norm", "_fused_rms_norm"});
}

constexpr ElementLayout kTruth{true, 2};
constexpr std::array<ElementLayout, 4> kValues = {{{false, 0}, {false, 1}, {false, 2}, {false, 3}}};
// Mean, variance (two), and a multiplication and an addition that hold the affine ones too.
constexpr PassLayout kNormalize{5, 1};
constexpr PassLayout kNormalizeBatch{5, 1, true};
constexpr PassLayout kLayerBack{9, 1, false, 5, 2};
constexpr PassLayout kGroupBack{9, 1, false, 4, 2};
constexpr PassLayout kRootBack{9, 1, false, 4, 1};
constexpr PassLayout kBatchBack{9, 1, false, 2, 2};
constexpr PassLayout kSoftmax{5, 1};     // maximum, difference, exponential, sum, quotient
constexpr PassLayout kSoftmaxBack{4, 1}; // two products, a sum, a difference
constexpr PassLayout kDropout{2, 1};
constexpr PassLayout kResidual{6, 2}; // adds to the residual, which is written as well

const PassLayout* normalization_layout(std::string_view name, bool backward) {
  const auto is = [&](std::string_view word) { return name.find(word) != name.npos; };
  if (is("batch_norm")) return backward ? &kBatchBack : &kNormalizeBatch;
  if (!backward) return &kNormalize;
  return is("layer_norm") ? &kLayerBack : is("rms_norm") ? &kRootBack : &kGroupBack;
}

WorkFormula torch_formula(std::string_view name) {
  constexpr std::string_view kBackward = "_backward";
  std::string_view forward = name;
  if (forward.ends_with(kBackward)) forward.remove_suffix(kBackward.size());
  const bool backward = forward.size() != name.size();
  if (is_normalization_operator(forward))
    return {pass_work, normalization_layout(forward, backward), WorkKind::normalization};
  if (is_one_of(name, {"_softmax", "_log_softmax"})) return {pass_work, &kSoftmax};
  if (is_one_of(name, {"_softmax_backward_data", "_log_softmax_backward_data"}))
    return {pass_work, &kSoftmaxBack};
  if (is_one_of(name, {"sum", "mean", "amax", "amin", "argmax", "argmin", "prod", "var", "std",
                       "all", "any", "norm", "linalg_vector_norm", "logsumexp", "mse_loss"}))
    return {reduction_work, nullptr};
  if (is_one_of(name, {"copy_", "fill_", "zero_"})) return {copy_work, nullptr};
  if (name == "embedding") return {lookup_work, nullptr};
  if (is_one_of(name, {"_embedding_bag", "_embedding_bag_forward_only"}))
    return {bag_work, nullptr};
  if (name == "embedding_dense_backward") return {lookup_backward_work, nullptr};
  if (name == "native_dropout") return {pass_work, &kDropout};
  if (forward.ends_with('_')) forward.remove_suffix(1);
  if (const std::size_t operands = element_operands(forward); operands > 0)
    return {element_work, &kValues[backward ? 0 : operands]};
  if (is_truth_operator(forward)) return {element_work, &kTruth};
  return {};
}

} // namespace

WorkFormula memory_formula(std::string_view op) {
  constexpr std::string_view kSpace = "aten::";
  if (op.starts_with(kSpace)) return torch_formula(op.substr(kSpace.size()));
  if (op.starts_with("triton_tem_")) return {template_work, nullptr, WorkKind::matrices};
  if (op.starts_with("triton_poi_")) return {arguments_work, nullptr};
  if (op.starts_with("triton_red_") || op.starts_with("triton_per_"))
    return {arguments_work, nullptr};
  if (op == "_C::rms_norm") return {arguments_work, nullptr, WorkKind::normalization};
  if (op == "_C::fused_add_rms_norm") return {pass_work, &kResidual, WorkKind::normalization};
  if (is_one_of(op, {"_C::silu_and_mul", "_C::gelu_and_mul", "_C::gelu_tanh_and_mul"}))
    return {arguments_work, nullptr};
  return {};
}

WorkFormula work_formula(std::string_view op) {
  if (const WorkFormula found = matrix_formula(op)) return found;
  return memory_formula(op);
}

} // namespace debrief::aggregate
