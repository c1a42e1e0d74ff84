#include "aggregate/trace/operators.h"

#include <algorithm>
#include <array>

namespace debrief::aggregate {

bool is_tensor_core_eligible(std::string_view op) {
  constexpr std::array<std::string_view, 30> kNames = {"mm",
                                                       "addmm",
                                                       "_addmm_activation",
                                                       "bmm",
                                                       "baddbmm",
                                                       "addbmm",
                                                       "mv",
                                                       "addmv",
                                                       "addr",
                                                       "matmul",
                                                       "matmul_backward",
                                                       "linear",
                                                       "linear_backward",
                                                       "chain_matmul",
                                                       "linalg_multi_dot",
                                                       "einsum",
                                                       "bilinear",
                                                       "_trilinear",
                                                       "_scaled_mm",
                                                       "_scaled_grouped_mm",
                                                       "_grouped_mm",
                                                       "_int_mm",
                                                       "_convolution",
                                                       "_convolution_double_backward",
                                                       "lstm_cell",
                                                       "gru_cell",
                                                       "rnn_tanh_cell",
                                                       "rnn_relu_cell",
                                                       "lstm",
                                                       "gru"};
  constexpr std::array<std::string_view, 12> kPrefixes = {"conv1d",
                                                          "conv2d",
                                                          "conv3d",
                                                          "conv_t", // conv_tbc, conv_transpose2d
                                                          "convolution",
                                                          "cudnn_convolution",
                                                          "miopen_convolution",
                                                          "_cudnn_rnn",
                                                          "_scaled_dot_product_",
                                                          "_flash_attention_",
                                                          "_efficient_attention_",
                                                          "_cudnn_attention_"};
  constexpr std::string_view kSpace = "aten::";
  if (!op.starts_with(kSpace)) return false;
  op.remove_prefix(kSpace.size());
  const auto begins = [&](std::string_view prefix) { return op.starts_with(prefix); };
  return std::find(kNames.begin(), kNames.end(), op) != kNames.end() ||
         std::any_of(kPrefixes.begin(), kPrefixes.end(), begins) ||
         op == "scaled_dot_product_attention" || op == "miopen_rnn" || op == "miopen_rnn_backward";
}

} // namespace debrief::aggregate
