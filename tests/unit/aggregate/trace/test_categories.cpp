#include "aggregate/trace/categories.h"
#include "aggregate/trace/figures.h"
#include "trace_maker.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>
#include <vector>

namespace test_categories {

using namespace debrief;
using aggregate::work_category;
using Category = result::WorkCategory;
using Kind = job::SliceKind;

TEST_CASE("operators of PyTorch are known by their names") {
  for (const auto& [op, category] : std::vector<std::pair<std::string, Category>>{
           {"aten::mm", Category::gemm},
           {"aten::_scaled_mm", Category::gemm},
           {"aten::_flash_attention_backward", Category::attention},
           {"aten::scaled_dot_product_attention", Category::attention},
           {"aten::cudnn_convolution", Category::convolution},
           {"aten::convolution_backward", Category::convolution},
           {"aten::native_layer_norm_backward", Category::normalization},
           {"aten::_fused_rms_norm", Category::normalization},
           {"aten::linalg_vector_norm", Category::reduction},
           {"aten::_softmax", Category::reduction},
           {"aten::nll_loss_forward", Category::reduction},
           {"aten::embedding_dense_backward", Category::embedding},
           {"aten::index_select", Category::embedding},
           {"aten::copy_", Category::copy},
           {"aten::cat", Category::copy},
           {"aten::zero_", Category::copy},
           {"aten::_foreach_add_", Category::elementwise},
           {"aten::_fused_adamw_", Category::elementwise}}) {
    CAPTURE(op);
    CHECK(aggregate::operator_category(op) == category);
  }
  CHECK_FALSE(aggregate::operator_category("aten::add")); // its kernel tells
  CHECK_FALSE(aggregate::operator_category("aten::normal_"));
  CHECK_FALSE(aggregate::operator_category("autograd::engine::evaluate_function: ConvBackward0"));
  CHECK_FALSE(aggregate::operator_category("vllm::moe_forward"));
  CHECK_FALSE(aggregate::operator_category(""));
}

TEST_CASE("operators of others are known by words in their names") {
  CHECK(aggregate::operator_category("flash_attn::_flash_attn_forward") == Category::attention);
  CHECK(aggregate::operator_category("FlashAttnFuncBackward") == Category::attention);
  CHECK(aggregate::operator_category("_C::fused_add_rms_norm") == Category::normalization);
  CHECK(aggregate::operator_category("_C::rotary_embedding") == Category::elementwise);
  CHECK(aggregate::operator_category("_C_cache_ops::reshape_and_cache_flash") == Category::copy);
  CHECK(aggregate::operator_category("_C::cutlass_scaled_mm") == Category::gemm);
  CHECK(aggregate::operator_category("fbgemm::permute_2D_sparse_data") == Category::embedding);
  CHECK(aggregate::operator_category("fbgemm::f8f8bf16_rowwise") == Category::gemm);
  CHECK(aggregate::kernel_category("void fbgemm_gpu::bounds_check_indices_kernel<long>(int)") ==
        Category::embedding);
  CHECK(aggregate::operator_category("triton_per_fused_native_layer_norm_2") ==
        Category::normalization);
  CHECK(aggregate::operator_category("triton_red_fused_sum_2") == Category::reduction);
  CHECK(aggregate::operator_category("triton_tem_fused_mm_4") == Category::gemm);
}

TEST_CASE("kernels are known by their names where no operator tells") {
  for (const auto& [kernel, category] : std::vector<std::pair<std::string, Category>>{
           {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x64>(int)", Category::gemm},
           {"nvjet_tst_64x64_64x16_2x1_2cta_v_bz_bias_TNT", Category::gemm},
           {"Cijk_Alik_Bljk_BBS_BH_Bias_MT16x16x256", Category::gemm},
           {"void splitKreduce_kernel<32, 16, int, float>(int)", Category::gemm},
           {"igemm_fwd_gtcx3_nhwc_bf16_bx0", Category::convolution},
           {"sm80_xmma_fprop_implicit_gemm_bf16bf16", Category::convolution},
           {"fmhaSm100aKernel_QkvE4m3OBfloat16", Category::attention},
           {"MIOpenBatchNormFwdTrainSpatial", Category::normalization},
           {"void at::native::elementwise_kernel<128, 2, direct_copy_kernel_cuda>(int)",
            Category::copy},
           {"void at::native::vectorized_elementwise_kernel<4, CUDAFunctor_add<float>>(int)",
            Category::elementwise},
           {"void (anonymous namespace)::elementwise_kernel_with_index<int, arange>(int)",
            Category::elementwise},
           {"void at::native::reduce_kernel<512, 1, ReduceOp<float>>(int)", Category::reduction},
           {"void at::native::(anonymous namespace)::indexSelectLargeIndex<float>(int)",
            Category::embedding},
           {"triton_poi_fused_add_0", Category::elementwise},
           {"my_kernel", Category::other}}) {
    CAPTURE(kernel);
    CHECK(work_category(kernel, "", false) == category);
  }
}

TEST_CASE("the operator decides before the kernel, and communication before both") {
  CHECK(work_category("void at::native::reduce_kernel<512>(int)", "aten::mm", false) ==
        Category::gemm);
  CHECK(work_category("gemm", "aten::mm", true) == Category::communication);
}

TEST_CASE("categories have every kernel, copy and set once, and sum to all GPU work") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::mm", 0, 100);
  make.launched("gemm", 10, 200, 260);
  make.cpu(Kind::runtime, "cudaMemsetAsync", 30, 35).correlation = 900;
  make.gpu(Kind::memset, "Memset (Device)", 190, 195).correlation = 900; // of the product
  make.cpu(Kind::op, "aten::add", 100, 150);
  make.launched("void vectorized_elementwise_kernel<4, add>(int)", 110, 260, 290);
  make.launched("ncclDevKernel_AllReduce", 160, 290, 300);
  const auto traces = test::list_of(make.make());
  const auto found =
      aggregate::trace_operators(std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
  REQUIRE(found.categories.size() == 4);
  double sum = 0;
  double percents = 0;
  for (const result::CategoryShare& row : found.categories) {
    CHECK(row.calls == 1);
    sum += row.us;
    percents += row.percent;
  }
  CHECK(sum == Catch::Approx(found.device_self_us));
  CHECK(percents == Catch::Approx(100));
  CHECK(found.categories[0].category == Category::gemm);
  CHECK(found.categories[0].us == 0.06);
  CHECK(found.categories[1].category == Category::elementwise);
  CHECK(found.categories[2].category == Category::communication);
  CHECK(found.categories[3].category == Category::copy);
  CHECK(found.by_name[0].category == Category::gemm); // most of what it launched
}

TEST_CASE("an operator that launches nothing is of no category") {
  test::TraceMaker make;
  make.cpu(Kind::op, "aten::linear", 0, 100);
  const auto traces = test::list_of(make.make());
  const auto found =
      aggregate::trace_operators(std::vector<aggregate::TraceIndex>(traces.begin(), traces.end()));
  CHECK_FALSE(found.by_name[0].category);
  CHECK(found.categories.empty());
}

} // namespace test_categories
