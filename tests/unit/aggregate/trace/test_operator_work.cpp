#include "aggregate/trace/operator_work.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include <string>
#include <string_view>

namespace test_operator_work {

using namespace debrief;
using aggregate::OperatorWork;
using Catch::Approx;

namespace {

OperatorWork work_of(std::string_view op, std::string_view dims, std::string_view types,
                     std::string_view values = {}) {
  const auto formula = aggregate::work_formula(op);
  REQUIRE(formula);
  const auto inputs = aggregate::parse_inputs(dims, types, values);
  REQUIRE(inputs);
  return formula(*inputs);
}

} // namespace

TEST_CASE("a product is two FLOPs for each of m, n and k, and reads and writes each matrix once") {
  const OperatorWork mm = work_of("aten::mm", "[[8, 16], [16, 4]]", R"(["float", "float"])");
  CHECK(mm.flops == 2 * 8 * 4 * 16);
  CHECK(mm.bytes == 4 * (8 * 16 + 16 * 4 + 8 * 4));
  CHECK(mm.precision == "fp32");
  REQUIRE(mm.product);
  CHECK(mm.product->m == 8);
  CHECK(mm.product->n == 4);
  CHECK(mm.product->k == 16);
}

TEST_CASE("a bias is added once for each result") {
  const OperatorWork work =
      work_of("aten::addmm", "[[4], [8, 16], [16, 4], [], []]",
              R"(["c10::Half", "c10::Half", "c10::Half", "Scalar", "Scalar"])");
  CHECK(work.flops == 2 * 8 * 4 * 16 + 8 * 4);
  CHECK(work.bytes == 2 * (4 + 8 * 16 + 16 * 4 + 8 * 4));
  CHECK(work.precision == "fp16");
}

TEST_CASE("batches count, and are broadcast") {
  const std::string two = R"(["float", "float"])";
  CHECK(work_of("aten::bmm", "[[3, 8, 16], [3, 16, 4]]", two).flops == 2 * 3 * 8 * 4 * 16);
  const OperatorWork broad = work_of("aten::matmul", "[[5, 3, 8, 16], [16, 4]]", two);
  CHECK(broad.flops == 2 * 5 * 3 * 8 * 4 * 16);
  CHECK(broad.product->m == 5 * 3 * 8); // rows that meet one matrix are rows of one product
  CHECK(broad.product->batch == 1);
  CHECK(work_of("aten::matmul", "[[1, 8, 16], [3, 16, 4]]", two).product->batch == 3);
  CHECK(work_of("aten::matmul", "[[8, 16], [16]]", two).flops == 2 * 8 * 16);
  const OperatorWork linear =
      work_of("aten::linear", "[[2, 8, 16], [4, 16], [4]]", R"(["float", "float", "float"])");
  CHECK(linear.flops == 2 * 16 * 4 * 16 + 16 * 4);
  // Each row meets the matrix of its group.
  const OperatorWork grouped =
      work_of("aten::_grouped_mm", "[[100, 16], [8, 16, 4], [8]]", R"(["float", "float", "int"])");
  CHECK(grouped.flops == 2 * 100 * 16 * 4);
}

TEST_CASE("shapes that do not fit each other tell nothing") {
  CHECK(work_of("aten::mm", "[[8, 16], [15, 4]]", R"(["float", "float"])").empty());
  CHECK(work_of("aten::mm", "[[], []]", R"(["float", "float"])").empty());
  CHECK(work_of("aten::matmul", "[[2, 8, 16], [3, 16, 4]]", R"(["float", "float"])").empty());
  CHECK_FALSE(aggregate::parse_inputs("[[8, 16]]", R"(["float", "float"])", ""));
  CHECK_FALSE(aggregate::parse_inputs("nonsense", R"(["float"])", ""));
  CHECK_FALSE(aggregate::parse_inputs("[3]", R"(["float"])", ""));
}

TEST_CASE("sizes that no machine has do not overflow") {
  const OperatorWork work =
      work_of("aten::mm", "[[9000000000000000000, 9000000000000000000], [9000000000000000000, 2]]",
              R"(["float", "float"])");
  CHECK(work.flops.value() > 1e38);
  const auto negative = aggregate::parse_inputs("[[-4, 2]]", R"(["float"])", "");
  REQUIRE(negative);
  CHECK_FALSE(negative->front().tensor);
}

TEST_CASE("attention is two products, halved by a causal mask") {
  const std::string types =
      R"(["c10::BFloat16", "c10::BFloat16", "c10::BFloat16", "Scalar", "Scalar", "Scalar", "Scalar"])";
  const std::string dims = "[[2, 4, 100, 64], [2, 4, 100, 64], [2, 4, 100, 64], [], [], [], []]";
  const std::string op = "aten::_scaled_dot_product_flash_attention";
  const double whole = 2.0 * 2 * 4 * 100 * 100 * (64 + 64);
  CHECK(work_of(op, dims, types, R"(["", "", "", "0.", "False", "False", ""])").flops == whole);
  const OperatorWork causal =
      work_of(op, dims, types, R"(["", "", "", "0.", "True", "False", ""])");
  CHECK(causal.flops == whole / 2);
  CHECK(causal.bytes == 4 * 2 * (2 * 4 * 100 * 64)); // q, k, v and the result
  CHECK_FALSE(work_of(op, dims, types).flops);       // nobody knows about the mask
  CHECK(work_of(op, dims, types).bytes);
}

TEST_CASE("queries may be fewer than keys, and heads of keys fewer than those of queries") {
  const std::string dims = "[[2, 8, 10, 64], [2, 2, 100, 64], [2, 2, 100, 64], [], [], [], []]";
  const std::string types =
      R"(["float", "float", "float", "Scalar", "Scalar", "Scalar", "Scalar"])";
  const OperatorWork work = work_of("aten::_scaled_dot_product_flash_attention", dims, types,
                                    R"(["", "", "", "0.", "False", "False", ""])");
  CHECK(work.flops == 2.0 * 2 * 8 * 10 * 100 * 128);
  CHECK(work.bytes == 4.0 * (2 * (2 * 8 * 10 * 64) + 2 * (2 * 2 * 100 * 64)));
}

TEST_CASE("packed sequences of unknown lengths tell nothing") {
  const std::string types =
      R"(["float", "float", "float", "int", "int", "Scalar", "Scalar", "Scalar", "Scalar"])";
  CHECK(work_of("aten::_flash_attention_forward",
                "[[1, 100, 4, 64], [1, 100, 4, 64], [1, 100, 4, 64], [5], [5], [], [], [], []]",
                types, R"(["", "", "", "", "", "40", "40", "0.", "True"])")
            .empty());
}

TEST_CASE("the way back through attention is five products") {
  const std::string types =
      R"(["float", "float", "float", "float", "float", "float", "", "", "Scalar", "Scalar", "Scalar", "Scalar"])";
  const OperatorWork work =
      work_of("aten::_flash_attention_backward",
              "[[2, 100, 4, 64], [2, 100, 4, 64], [2, 100, 4, 64], [2, 100, 4, 64], [2, 100, 4, "
              "64], [2, 4, 100], [], [], [], [], [], []]",
              types, R"(["", "", "", "", "", "", "", "", "100", "100", "0.", "False"])");
  CHECK(work.flops == 2.5 * 2 * 2 * 4 * 100 * 100 * (64 + 64));
}

TEST_CASE("a convolution's weight meets every place of the result") {
  const std::string types =
      R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"])";
  const std::string dims = "[[2, 6, 9, 9], [8, 3, 3, 3], [8], [], [], [], [], [], []]";
  const OperatorWork work =
      work_of("aten::convolution", dims, types,
              R"(["", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2"])");
  const double places = 5 * 5; // (9 + 2 - 2 - 1) / 2 + 1
  CHECK(work.flops == 2 * 2 * places * (8 * 3 * 3 * 3) + 2 * 8 * places);
  CHECK(work.bytes == 4 * (2 * 6 * 81 + 8 * 27 + 8 + 2 * 8 * places));
  CHECK(work_of("aten::convolution", dims, types).empty()); // strides are not recorded
  CHECK(work_of("aten::convolution", dims, types,
                R"(["", "", "", "[0, 0]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "2"])")
            .empty());
}

TEST_CASE("a transposed convolution's weight meets every place of the input") {
  const std::string types =
      R"(["float", "float", "", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar"])";
  const OperatorWork work =
      work_of("aten::convolution", "[[2, 6, 5], [6, 4, 3], [], [], [], [], [], [], []]", types,
              R"(["", "", "", "[2]", "[0]", "[1]", "True", "[1]", "2"])");
  CHECK(work.flops == 2 * 2 * 5 * (6 * 4 * 3));
  const double length = (5 - 1) * 2 + 2 + 1 + 1;
  CHECK(work.bytes == 4 * (2 * 6 * 5 + 6 * 4 * 3 + 2 * 8 * length));
}

TEST_CASE("libraries have strides in other places") {
  const std::string dims = "[[2, 6, 9, 9], [8, 6, 3, 3], [], [], [], [], [], []]";
  const std::string types =
      R"(["float", "float", "ScalarList", "ScalarList", "ScalarList", "Scalar", "Scalar", "Scalar"])";
  const OperatorWork cudnn =
      work_of("aten::cudnn_convolution", dims, types,
              R"(["", "", "[1, 1]", "[2, 2]", "[1, 1]", "1", "False", "False"])");
  CHECK(cudnn.flops == 2 * 2 * 25 * (8 * 6 * 9));
}

TEST_CASE("going back, a convolution computes the gradients that are wanted") {
  const std::string dims =
      "[[2, 8, 5, 5], [2, 6, 9, 9], [8, 6, 3, 3], [], [], [], [], [], [], [], []]";
  const std::string types =
      R"(["float", "float", "float", "ScalarList", "ScalarList", "ScalarList", "ScalarList", "Scalar", "ScalarList", "Scalar", "ScalarList"])";
  const auto wanting = [&](std::string_view mask) {
    return work_of(
        "aten::convolution_backward", dims, types,
        R"(["", "", "", "[8]", "[2, 2]", "[1, 1]", "[1, 1]", "False", "[0, 0]", "1", ")" +
            std::string{mask} + "\"]");
  };
  const double one = 2 * 2 * 25 * (8 * 6 * 9);
  CHECK(wanting("[True, True, False]").flops == 2 * one);
  CHECK(wanting("[False, True, False]").flops == one);
  CHECK(wanting("[False, True, True]").flops == one + 2 * 8 * 25);
  CHECK(work_of("aten::convolution_backward", dims, types).empty());
}

TEST_CASE("normalization passes once, and batch normalization writes its statistics") {
  const std::string dims = "[[8, 16, 32, 32], [16], [16], [16], [16], [], [], [], []]";
  const std::string types =
      R"(["float", "float", "float", "float", "float", "Scalar", "Scalar", "Scalar", "Scalar"])";
  const OperatorWork batch = work_of("aten::batch_norm", dims, types);
  CHECK(batch.flops == 5 * 8 * 16 * 1024);
  CHECK(batch.bytes == 4 * (2 * 8 * 16 * 1024 + 6 * 16));
  const OperatorWork back = work_of(
      "aten::native_batch_norm_backward", "[[4, 2], [4, 2], [2], [2], [2], [2], [2], [], [], []]",
      R"(["float", "float", "float", "float", "float", "float", "float", "Scalar", "Scalar", "ScalarList"])");
  CHECK(back.bytes == 4 * (3 * 8 + 5 * 2 + 2 * 2));
}

TEST_CASE("elementwise operators read their inputs and write what they are broadcast to") {
  const OperatorWork add =
      work_of("aten::add_", "[[4, 1], [1, 6], []]", R"(["c10::Half", "float", "Scalar"])");
  CHECK(add.flops == 24);
  CHECK(add.bytes == 4 * 2 + 6 * 4 + 24 * 4);
  const OperatorWork equal = work_of("aten::eq", "[[4], [4]]", R"(["long int", "long int"])");
  CHECK(equal.bytes == 2 * 4 * 8 + 4);
  const OperatorWork number = work_of("aten::mul", "[[4], []]", R"(["float", "double"])");
  CHECK(number.bytes == 4 * 4 + 8 + 4 * 4); // the type of a number does not count
  const OperatorWork out =
      work_of("aten::mul", "[[4, 6], [], [4, 6]]", R"(["float", "double", "float"])");
  CHECK(out.bytes == 2 * 24 * 4 + 8); // the last one is where the result goes
  CHECK(work_of("aten::gelu_backward", "[[4], [4], []]", R"(["float", "float", "Scalar"])").bytes ==
        3 * 4 * 4);
}

TEST_CASE("copies, lookups and compilers' kernels move bytes") {
  const OperatorWork copy =
      work_of("aten::copy_", "[[4], [4], []]", R"(["c10::Half", "float", "Scalar"])");
  CHECK(copy.flops == 0.0);
  CHECK(copy.bytes == 4 * 2 + 4 * 4);
  const OperatorWork lookup = work_of("aten::embedding", "[[1000, 8], [3, 2], [], [], []]",
                                      R"(["float", "long int", "Scalar", "Scalar", "Scalar"])");
  CHECK(lookup.bytes == 6 * 8 + 2 * 6 * 8 * 4);
  const OperatorWork fused = work_of("triton_poi_fused_add_0", "[[4], [4], [4], []]",
                                     R"(["float", "float", "float", "Scalar"])");
  CHECK(fused.bytes == 3 * 4 * 4);
  CHECK_FALSE(fused.flops);
  const OperatorWork tile = work_of("triton_tem_fused_mm_1", "[[8, 16], [16, 4], [8, 4], []]",
                                    R"(["float", "float", "float", "Scalar"])");
  CHECK(tile.flops == 2 * 8 * 16 * 4);
}

TEST_CASE("what has no formula says so, and unknown types have no bytes") {
  CHECK_FALSE(aggregate::work_formula("aten::nonzero"));
  CHECK_FALSE(aggregate::work_formula("my::op"));
  CHECK_FALSE(aggregate::work_formula(""));
  const OperatorWork odd = work_of("aten::mm", "[[8, 16], [16, 4]]", R"(["odd", "odd"])");
  CHECK(odd.flops == 2 * 8 * 16 * 4);
  CHECK_FALSE(odd.bytes);
  CHECK(work_of("aten::sum", "[[8, 16]]", R"(["float"])").bytes == 8 * 16 * 4);
}

} // namespace test_operator_work
