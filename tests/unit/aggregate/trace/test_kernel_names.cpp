#include "aggregate/trace/kernel_names.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

namespace test_kernel_names {

using namespace debrief;

namespace {

bool uses(std::string_view name) {
  return aggregate::uses_tensor_cores(name) == true;
}

bool uses_not(std::string_view name) {
  return aggregate::uses_tensor_cores(name) == false;
}

bool is_unknown(std::string_view name) {
  return !aggregate::uses_tensor_cores(name);
}

const std::string kAdd =
    "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>, "
    "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<float>, std::array<char*, 3ul>)";
const std::string kCopy =
    "void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda("
    "at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() "
    "const::{lambda(float)#1}, std::array<char*, 2ul>, 4, TrivialOffsetCalculator<1, unsigned "
    "int> >(int)";
const std::string kForeach =
    "void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous "
    "namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::"
    "BinaryOpListAlphaFunctor<float, 2, 2, 0>, std::plus<float>, float>(at::native::(anonymous "
    "namespace)::TensorListMetadata<2>, float)";
const std::string kMul =
    "void at::native::vectorized_elementwise_kernel<8, at::native::BinaryFunctor<c10::BFloat16, "
    "c10::BFloat16, c10::BFloat16, at::native::binary_internal::MulFunctor<float> >, "
    "std::array<char*, 3ul> >(int)";
const std::string kCutlass =
    "void cutlass::Kernel2<cutlass_75_tensorop_bf16_s1688gemm_bf16_128x128_tn_align1>("
    "cutlass_75_tensorop_bf16_s1688gemm_bf16_128x128_tn_align1::Params)";
const std::string kNorm =
    "void at::native::batch_norm_collect_statistics_channels_last_kernel<at::native::Var, "
    "c10::BFloat16, float, 4>(c10::BFloat16 const*, float*, int)";
const std::string kSimt =
    "sm80_xmma_gemm_f32f32_f32f32_f32_tn_n_tilesize128x128x8_stage3_warpsize2x2x1_ffma_aligna4_"
    "alignc4_execute_kernel__5x_cublas";
const std::string kWgrad =
    "sm90_xmma_wgrad_indexed_implicit_gemm_bf16bf16_bf16f32_f32_nhwckrsc_nhwc_tilesize256x128x64_"
    "warpgroupsize2x1x1_g1_execute_segment_k_on_kernel__5x_cudnn";
const std::string kMangled =
    "_ZN17cutlass__5x_cudnn6KernelINS_4conv6kernel23ImplicitGemmConvolutionINS1_11threadblock22"
    "ImplicitGemmMultistageINS_4gemm9GemmShapeILi64ELi128ELi32EEENS_10bfloat16_tELi7E";
const std::string kTensile = "Cijk_Ailk_Bljk_HHS_BH_MT64x64x32_MI16x16x16x1_SN_1LDSB0_APM1_AF0EM8";

} // namespace

TEST_CASE("kernels are called by their function, and wrappers by what they run") {
  CHECK(aggregate::short_kernel_name(kAdd) == "vectorized_elementwise_kernel: CUDAFunctor_add");
  CHECK(aggregate::short_kernel_name(kCopy) ==
        "unrolled_elementwise_kernel: direct_copy_kernel_cuda");
  CHECK(aggregate::short_kernel_name(kForeach) ==
        "multi_tensor_apply_kernel: BinaryOpListAlphaFunctor, plus");
  CHECK(aggregate::short_kernel_name(kMul) == "vectorized_elementwise_kernel: MulFunctor");
  CHECK(aggregate::short_kernel_name(kNorm) ==
        "batch_norm_collect_statistics_channels_last_kernel");
  CHECK(aggregate::short_kernel_name(
            "std::enable_if<(a > b), int>::type ns::Foo<int>::run<4>(int)") == "run");
  CHECK(aggregate::short_kernel_name(
            "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long)") ==
        "ncclKernel_AllReduce_RING_LL_Sum_float");
}

TEST_CASE("names of libraries keep tile and type") {
  CHECK(aggregate::short_kernel_name("volta_sgemm_64x64_nt") == "volta_sgemm_64x64_nt");
  CHECK(aggregate::short_kernel_name("triton_poi_fused_add_0") == "triton_poi_fused_add_0");
  CHECK(aggregate::short_kernel_name(kCutlass) ==
        "cutlass_75_tensorop_bf16_s1688gemm_bf16_128x128_tn_align1");
  const std::string wgrad = aggregate::short_kernel_name(kWgrad);
  CHECK(wgrad.starts_with("sm90_xmma_wgrad_indexed_implicit_gemm_"));
  CHECK(wgrad.ends_with("…tilesize256x128x64_warpgroupsize2x1x1_"));
  CHECK(aggregate::short_kernel_name(kMangled) ==
        "Kernel: ImplicitGemmConvolution, ImplicitGemmMultistage, GemmShape 64x128x32");
  CHECK(aggregate::short_kernel_name(
            "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7") ==
        "sdpa_sm90_flash_fprop_wgmma_f16_knob_7");
  CHECK(aggregate::short_kernel_name(kTensile + std::string(100, '_')).find("…") !=
        std::string::npos);
}

TEST_CASE("short names are short and not empty, whatever the name is") {
  for (const std::string& name :
       {std::string(10'000, 'x'), std::string(10'000, '<'), std::string(10'000, '>'),
        std::string(10'000, '('), std::string(10'000, ')') + "a", std::string{"a<b(c{"},
        std::string{"void "}, std::string{"<<>>"}, std::string{"::"}, std::string{"_Z"},
        std::string{"_Z99999999999999999999999"}, std::string{"_ZN3Foo9999Bar"}}) {
    const std::string found = aggregate::short_kernel_name(name);
    CHECK(!found.empty());
    CHECK(found.size() <= aggregate::kMaxShortName);
    CHECK(!aggregate::kernel_precision(name).empty());
    CHECK_FALSE(aggregate::uses_tensor_cores(name));
  }
  std::string wide;
  for (int i = 0; i < 100; ++i)
    wide += "ä";
  const std::string cut = aggregate::short_kernel_name(wide); // two bytes each: never cut in half
  CHECK(cut.size() <= aggregate::kMaxShortName);
  CHECK(cut.find("…") % 2 == 0);
  CHECK((cut.size() - 3) % 2 == 0);
  CHECK(aggregate::short_kernel_name("").empty());
}

TEST_CASE("precision is the narrowest type that the name has") {
  CHECK(aggregate::kernel_precision(kAdd) == "fp32");
  CHECK(aggregate::kernel_precision(kCopy) == "fp32");
  CHECK(aggregate::kernel_precision(kMul) == "bf16");
  CHECK(aggregate::kernel_precision(kNorm) == "bf16");
  CHECK(aggregate::kernel_precision(kCutlass) == "bf16");
  CHECK(aggregate::kernel_precision(kSimt) == "fp32");
  CHECK(aggregate::kernel_precision(kMangled) == "bf16");
  CHECK(aggregate::kernel_precision(kTensile) == "fp16");
  CHECK(aggregate::kernel_precision("Cijk_Ailk_Bljk_SB_MT64x64x32_SE") == "fp32");
  CHECK(aggregate::kernel_precision("volta_sgemm_64x64_nt") == "fp32");
  CHECK(aggregate::kernel_precision("volta_dgemm_64x64_nt") == "fp64");
  CHECK(aggregate::kernel_precision("volta_fp16_s884gemm_fp16_64x64_ldg8_f2f_nn") == "fp16");
  CHECK(aggregate::kernel_precision("cutlass_80_tensorop_s1688gemm_128x64_32x6_nt_align1") ==
        "tf32");
  CHECK(aggregate::kernel_precision("nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_TNT") == "bf16");
  CHECK(aggregate::kernel_precision("nvjet_hsh_128x64_64x9_2x1_v_bz_TNN") == "fp16");
  CHECK(aggregate::kernel_precision("nvjet_sm90_") == "unknown");
  CHECK(aggregate::kernel_precision(
            "void _FP8rowwise_to_float_cuda_kernel<float>(unsigned char const*)") == "fp8");
  CHECK(aggregate::kernel_precision("void k<double>(float)") == "fp64");
  CHECK(aggregate::kernel_precision("void k<uint8_t>(int)") == "unknown");
  CHECK(aggregate::kernel_precision("triton_poi_fused_add_0") == "unknown");
}

TEST_CASE("tensor cores are told by instruction, library or type") {
  CHECK(uses(kCutlass));
  CHECK(uses(kWgrad));
  CHECK(uses(kTensile));
  CHECK(uses("volta_fp16_s884gemm_fp16_64x64_ldg8_f2f_nn"));
  CHECK(uses("nvjet_sm90_tst_192x128_64x5_1x2_h_bz_coopB_TNT"));
  CHECK(uses("cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7"));
  CHECK(uses("fmha_cutlassF_bf16_aligned_64x64_rf_sm80(Params)"));
  CHECK(is_unknown("fmha_cutlassF_f32_aligned_64x64_rf_sm80(Params)"));
  CHECK(uses_not(kSimt));
  CHECK(uses_not(kAdd));
  CHECK(uses_not(kMul));
  CHECK(uses_not("volta_sgemm_64x64_nt"));
  CHECK(uses_not("Cijk_Ailk_Bljk_SB_MT64x64x32_SE"));
  CHECK(is_unknown("rows_16816"));
}

TEST_CASE("a mangled name without classes is called by its function") {
  CHECK(
      aggregate::short_kernel_name("_ZN5aiter24add_rmsnorm_quant_kernelIDF16bDF16bLi256EEEvPT0_") ==
      "add_rmsnorm_quant_kernel");
  CHECK(aggregate::short_kernel_name("_Z6kernelPf") == "kernel");
}

TEST_CASE("tensor cores of kernels that came with other GPUs and libraries") {
  CHECK(uses("bmm_MxE4m3_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3_et128x16_m128x16x32_cga1x1x1"));
  CHECK(uses("bmm_Bfloat16_MxE2m1MxE4m3_Fp32_t128x16x256u2_s3"));
  CHECK(uses("fmhaSm100aKernel_QkvE4m3OBfloat16H64PagedKvCausalP16VarSeqQ128Kv128"));
  CHECK(uses("igemm_fwd_gtcx3_nhwc_bf16_bx0_ex1_bt128x128x32_wt32x32x8"));
  CHECK(uses("attn_fwd"));
  CHECK(uses("_matmul_ogs_NNT_bf16xbf16xmxfp4_16x128x256x1_swiglu"));
  CHECK(uses("nvjet_tst_64x64_64x16_2x1_2cta_v_bz_bias_TNT"));
  CHECK(uses_not("SubTensorOpWithCastTensor1d"));
  CHECK(uses_not("SubTensorOpWithScalar1d"));
  CHECK(uses_not("triton_poi_fused__to_copy_1"));
  CHECK(uses_not("void cudnn::cnn::wgrad_alg0_engine<float, 128, 6, 7, 3, 3, 5, false, 512>(int)"));
  CHECK(is_unknown("triton__0d1d2d3d4d5"));
  CHECK(is_unknown("_combined_routing_compute"));
}

} // namespace test_kernel_names
