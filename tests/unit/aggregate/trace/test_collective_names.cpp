#include "aggregate/trace/collectives.h"

#include <catch2/catch_test_macros.hpp>

namespace test_collective_names {

using namespace debrief;

TEST_CASE("a collective has one name, however it is spelled") {
  for (const char* name :
       {"allreduce", "all_reduce", "nccl:all_reduce", "gloo:all_reduce", "c10d::allreduce_",
        "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKe",
        "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", "ALLREDUCE_coalesced"}) {
    CAPTURE(name);
    CHECK(aggregate::collective_name(name) == "all_reduce");
  }
  CHECK(aggregate::collective_name("_allgather_base") == "all_gather");
  CHECK(aggregate::collective_name("nccl:_all_gather_base") == "all_gather");
  CHECK(aggregate::collective_name("c10d::alltoall_base_") == "all_to_all");
  CHECK(aggregate::collective_name("nccl:_reduce_scatter_base") == "reduce_scatter");
  CHECK(aggregate::collective_name("ncclDevKernel_Reduce_Sum_f32_RING_LL") == "reduce");
  CHECK(aggregate::collective_name("ncclKernel_SendRecv_RING_SIMPLE_Sum_int8_t(x)") == "send_recv");
  CHECK(aggregate::collective_name("broadcast") == "broadcast");
  CHECK_FALSE(aggregate::collective_name("wait"));
  CHECK_FALSE(aggregate::collective_name("nccl:"));
  CHECK_FALSE(aggregate::collective_name(""));
}

TEST_CASE("elements have a size, by ATen's names and by C++'s") {
  CHECK(aggregate::element_size("Float") == 4);
  CHECK(aggregate::element_size("float") == 4);
  CHECK(aggregate::element_size("c10::BFloat16") == 2);
  CHECK(aggregate::element_size("long int") == 8);
  CHECK(aggregate::element_size("Float8_e4m3fn") == 1);
  CHECK(aggregate::element_size("c10::complex<float>") == 8);
  CHECK_FALSE(aggregate::element_size("TensorList"));
  CHECK_FALSE(aggregate::element_size(""));
}

TEST_CASE("the bytes of an operator's inputs are those of its tensors") {
  CHECK(aggregate::input_bytes("[[8192, 4]]", R"(["float"])") == 8192 * 4 * 4);
  CHECK(aggregate::input_bytes("[[10], [3], []]", R"(["long int", "c10::Half", "Scalar"])") == 86);
  CHECK(aggregate::input_bytes("[[]]", R"(["float"])") == 4); // one number
  CHECK_FALSE(aggregate::input_bytes("[[[2049000]], []]", R"(["TensorList", ""])"));
  CHECK_FALSE(aggregate::input_bytes("[[8]]", R"(["float", "float"])"));
  CHECK_FALSE(aggregate::input_bytes("[[4611686018427387904, 4]]", R"(["float"])"));
  CHECK_FALSE(aggregate::input_bytes("[[-1]]", R"(["float"])"));
  CHECK_FALSE(aggregate::input_bytes("[[8", R"(["float"])"));
  CHECK_FALSE(aggregate::input_bytes("", ""));
  CHECK_FALSE(aggregate::input_bytes("[]", "[]"));
  CHECK(aggregate::first_type(R"(["TensorList", "float"])") == "float");
  CHECK(aggregate::first_type("broken").empty());
}

} // namespace test_collective_names
