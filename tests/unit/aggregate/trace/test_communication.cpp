#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <fmt/format.h>

namespace test_communication {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::TraceMaker;

namespace {

result::Communication found_in(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  return aggregate::communication(indices);
}

std::string text_of(const std::vector<result::CollectiveRow>& rows) {
  std::string text;
  for (const result::CollectiveRow& row : rows)
    text += fmt::format("{} {} {} {} {}: {} of {:g} us\n", row.process, row.name, row.where,
                        row.dtype, row.bytes.value_or(-1), row.calls, row.total_us);
  return text;
}

std::int32_t add_collective(TraceMaker& maker, std::string_view name, std::string_view dtype,
                            std::int64_t in, std::int64_t out) {
  job::CollectiveArgs args;
  args.name = maker.trace().names.intern(name);
  if (!dtype.empty()) args.dtype = maker.trace().names.intern(dtype);
  args.in_elements = in;
  args.out_elements = out;
  maker.trace().collectives.push_back(args);
  return static_cast<std::int32_t>(maker.trace().collectives.size() - 1);
}

std::int32_t add_inputs(TraceMaker& maker, std::string_view dims, std::string_view types,
                        std::int32_t collective = -1) {
  job::InputArgs inputs;
  if (!dims.empty()) inputs.dims = maker.trace().names.intern(dims);
  if (!types.empty()) inputs.types = maker.trace().names.intern(types);
  inputs.collective = collective;
  maker.trace().inputs.push_back(inputs);
  return static_cast<std::int32_t>(maker.trace().inputs.size() - 1);
}

/// A range of gloo on a thread of its own.
void gloo(TraceMaker& maker, std::string_view name, std::int64_t start, std::int64_t end,
          std::int64_t thread = 50) {
  const std::int32_t inputs = add_inputs(maker, "[[1000]]", R"(["float"])");
  maker.cpu(job::SliceKind::annotation, name, start, end, thread).details = inputs;
}

constexpr std::int64_t kMs = 1'000'000;

/// A rank with steps of 100 ms, in each of which it comes to one collective at `starts` (ms after
/// the step's start) and leaves it at 80.
TraceMaker rank(std::int64_t number, const std::vector<std::int64_t>& starts,
                std::int64_t clock = 0) {
  TraceMaker maker{"rank " + std::to_string(number)};
  maker.trace().rank = number;
  maker.trace().world_size = 2;
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const std::int64_t begin = clock + static_cast<std::int64_t>(i) * 100 * kMs;
    maker.step(static_cast<std::int64_t>(10 + i), begin, begin + 100 * kMs);
    gloo(maker, "gloo:all_reduce", begin + starts[i] * kMs, begin + 80 * kMs);
  }
  return maker;
}

} // namespace

TEST_CASE("a kernel says which collective it is, or what is around its launch does") {
  TraceMaker maker;
  job::LaunchArgs args;
  args.collective = add_collective(maker, "allreduce", "Float", 1000, 1000);
  const std::int32_t own = maker.launch_args(args);
  maker.gpu(job::SliceKind::kernel, "ncclKernel_AllReduce_RING_LL_Sum_float(x)", 0, 4000).details =
      own;
  maker.gpu(job::SliceKind::kernel, "ncclKernel_AllReduce_RING_LL_Sum_float(x)", 5000, 7000)
      .details = own;

  const std::int32_t gathered =
      add_inputs(maker, "", "", add_collective(maker, "_allgather_base", "BFloat16", 100, 800));
  maker.cpu(job::SliceKind::op, "record_param_comms", 0, 1000).details = gathered;
  maker.cpu(job::SliceKind::runtime, "cudaLaunchKernel", 100, 200).correlation = 1;
  maker.gpu(job::SliceKind::kernel, "ncclDevKernel_AllGather_RING_LL", 10'000, 15'000).correlation =
      1;

  const std::int32_t sent = add_inputs(maker, "[[384]]", R"(["long int"])");
  maker.cpu(job::SliceKind::annotation, "nccl:all_to_all", 2000, 3000).details = sent;
  maker.cpu(job::SliceKind::runtime, "cudaLaunchKernelExC", 2100, 2200).correlation = 2;
  maker.gpu(job::SliceKind::kernel, "ncclKernel_SendRecv_RING_SIMPLE", 20'000, 21'000).correlation =
      2;

  maker.gpu(job::SliceKind::kernel, "ncclDevKernel_Generic(ncclDevComm*)", 30'000, 30'500);
  maker.gpu(job::SliceKind::kernel, "gemm", 30'000, 40'000, 8);
  const auto found = found_in(test::list_of(maker.make()));
  CHECK(text_of(found.collectives) == "rank 0 all_reduce GPU Float 4000: 2 of 6 us\n"
                                      "rank 0 all_gather GPU BFloat16 1600: 1 of 5 us\n"
                                      "rank 0 all_to_all GPU long int 3072: 1 of 1 us\n"
                                      "rank 0 ncclDevKernel_Generic GPU  -1: 1 of 0.5 us\n");
  CHECK_THAT(found.collectives[0].mean_us, WithinAbs(3, 1e-9));
  CHECK_THAT(found.collectives[0].max_us, WithinAbs(4, 1e-9));
  REQUIRE(found.collectives[0].bandwidth);
  CHECK_THAT(*found.collectives[0].bandwidth, WithinAbs(4000 / 2e-6 / 1e9, 1e-9));
  CHECK_FALSE(found.collectives[3].bandwidth);
}

TEST_CASE("gloo communicates on CPU threads; NCCL's own ranges are launches only") {
  TraceMaker maker;
  gloo(maker, "gloo:broadcast", 0, 2000);
  maker.cpu(job::SliceKind::annotation, "nccl:all_reduce", 0, 1000);
  maker.cpu(job::SliceKind::op, "c10d::allreduce_", 5000, 9000);
  CHECK(text_of(found_in(test::list_of(maker.make())).collectives) ==
        "rank 0 broadcast CPU float 4000: 1 of 2 us\n");
}

TEST_CASE("communication is hidden where a kernel computes, within the profiled steps") {
  TraceMaker maker;
  maker.step(1, 1000, 11'000);
  maker.step(2, 11'000, 21'000);
  maker.gpu(job::SliceKind::kernel, "ncclDevKernel_AllReduce", 0, 6000, 20);        // 5000 profiled
  maker.gpu(job::SliceKind::kernel, "ncclDevKernel_AllReduce", 5000, 8000, 21);     // to 8000: 7000
  maker.gpu(job::SliceKind::kernel, "ncclDevKernel_AllReduce", 20'000, 30'000, 20); // 1000 more
  maker.gpu(job::SliceKind::kernel, "gemm", 0, 2000);                               // hides 1000
  maker.gpu(job::SliceKind::kernel, "gemm", 4000, 5000);                            // hides 1000
  maker.gpu(job::SliceKind::kernel, "gemm", 4500, 5500, 9);        // hides 500 more
  maker.gpu(job::SliceKind::memcpy, "Memcpy DtoD", 6000, 7000, 9); // is no compute
  const auto found = found_in(test::list_of(maker.make()));
  REQUIRE(found.overlap.size() == 1);
  const result::OverlapRow& row = found.overlap[0];
  CHECK_THAT(row.profiled_us, WithinAbs(20, 1e-9));
  CHECK_THAT(row.compute_us, WithinAbs(2.5, 1e-9));
  CHECK_THAT(row.communication_us, WithinAbs(8, 1e-9));
  CHECK_THAT(row.hidden_us, WithinAbs(2.5, 1e-9));
  CHECK_THAT(row.exposed_us, WithinAbs(5.5, 1e-9));
  CHECK_THAT(row.overlap_percent.value(), WithinAbs(31.25, 1e-9));
}

TEST_CASE("without collectives there is nothing to say") {
  TraceMaker maker;
  maker.step(1, 0, 1000);
  maker.gpu(job::SliceKind::kernel, "gemm", 0, 500);
  const auto found = found_in(test::list_of(maker.make()));
  CHECK(found.collectives.empty());
  CHECK(found.overlap.empty());
  CHECK(found.stragglers.empty());
  CHECK_FALSE(found.skew_us);
  CHECK(found.missing_count == 0);
}

TEST_CASE("the process that comes last is the straggler, others wait for it") {
  const auto found = found_in(test::list_of(rank(0, {10, 20}).make(), rank(1, {60, 70}).make()));
  REQUIRE(found.stragglers.size() == 2);
  CHECK(found.stragglers[0].rank == 1);
  CHECK(found.stragglers[0].collectives == 2);
  CHECK(found.stragglers[0].last == 2);
  CHECK_THAT(found.stragglers[0].lateness_us, WithinAbs(50'000, 1e-6));
  CHECK(found.stragglers[0].waited_us == 0);
  CHECK(found.stragglers[1].last == 0);
  CHECK(found.stragglers[1].lateness_us == 0);
  CHECK_THAT(found.stragglers[1].waited_us, WithinAbs(100'000, 1e-6));
  CHECK_THAT(found.skew_us.value(), WithinAbs(50'000, 1e-6));
}

TEST_CASE("collectives that run side by side make one wait") {
  TraceMaker early = rank(0, {10});
  gloo(early, "gloo:all_reduce", 11 * kMs, 79 * kMs, 51);
  TraceMaker late = rank(1, {60});
  gloo(late, "gloo:all_reduce", 61 * kMs, 79 * kMs, 51);
  const auto found = found_in(test::list_of(early.make(), late.make()));
  CHECK(found.stragglers[0].rank == 1);
  CHECK_THAT(found.stragglers[1].waited_us, WithinAbs(51'000, 1e-6)); // from 10 to 61
}

TEST_CASE("steps are matched by number, not by order") {
  TraceMaker first = rank(0, {10, 10, 10}); // steps 10, 11, 12
  TraceMaker other{"rank 1"};               // step 12 only
  other.trace().rank = 1;
  other.step(12, 200 * kMs, 300 * kMs);
  gloo(other, "gloo:all_reduce", 240 * kMs, 280 * kMs);
  const auto found = found_in(test::list_of(first.make(), other.make()));
  REQUIRE(found.stragglers.size() == 2);
  CHECK(found.stragglers[0].collectives == 1);
  CHECK_THAT(found.stragglers[0].lateness_us, WithinAbs(30'000, 1e-6));
}

TEST_CASE("clocks that differ are told by the ends of collectives") {
  const std::int64_t ahead = 5'000 * kMs;
  const auto found =
      found_in(test::list_of(rank(0, {10, 20, 12}).make(), rank(1, {60, 65, 68}, ahead).make()));
  CHECK(found.stragglers[0].rank == 1);
  CHECK_THAT(found.stragglers[0].lateness_us, WithinAbs((50 + 45 + 56) * 1000 / 3.0, 1e-6));
  CHECK_THAT(found.stragglers[0].clock_offset_us.value(), WithinAbs(5'000'000, 1e-6));
  CHECK_FALSE(found.stragglers[1].clock_offset_us);
}

TEST_CASE("stragglers are not guessed where processes cannot be compared") {
  SECTION("one process") {
    CHECK(found_in(test::list_of(rank(0, {10}).make())).stragglers.empty());
  }
  SECTION("a different number of collectives") {
    TraceMaker more = rank(1, {60});
    gloo(more, "gloo:all_reduce", 85 * kMs, 90 * kMs);
    CHECK(found_in(test::list_of(rank(0, {10}).make(), more.make())).stragglers.empty());
  }
  SECTION("a clock that is not known") {
    TraceMaker other = rank(1, {60});
    other.trace().clock_known = false;
    CHECK(found_in(test::list_of(rank(0, {10}).make(), other.make())).stragglers.empty());
  }
  SECTION("messages between two ranks") {
    TraceMaker first = rank(0, {});
    first.step(1, 0, 100);
    first.gpu(job::SliceKind::kernel, "ncclKernel_SendRecv", 10, 20);
    TraceMaker second = rank(1, {});
    second.step(1, 0, 100);
    second.gpu(job::SliceKind::kernel, "ncclKernel_SendRecv", 50, 60);
    CHECK(found_in(test::list_of(first.make(), second.make())).stragglers.empty());
  }
}

TEST_CASE("ranks without a trace are named") {
  const auto with = [](std::vector<std::int64_t> ranks, std::optional<std::int64_t> world) {
    std::vector<job::Trace> traces;
    for (const std::int64_t number : ranks) {
      job::Trace& trace = traces.emplace_back();
      trace.rank = number;
      trace.world_size = world;
      trace.groups = {{"0", "default_pg", {0, 1, 2}}};
    }
    std::vector<const job::Trace*> list;
    for (const job::Trace& trace : traces)
      list.push_back(&trace);
    result::Communication out;
    aggregate::find_missing_ranks(list, out);
    return out;
  };
  CHECK(with({0, 1}, 4).missing_ranks == std::vector<std::int64_t>{2, 3});
  CHECK(with({0, 1}, 2).missing_count == 0);
  CHECK(with({1, 1}, std::nullopt).missing_ranks == std::vector<std::int64_t>{0, 2});
  const auto many = with({34}, 1'000'000'000'000);
  CHECK(many.missing_count == 999'999'999'999);
  CHECK(many.missing_ranks.size() == result::kMaxMissingRanks);
  CHECK(many.missing_ranks[34] == 35);

  job::Trace unknown;
  unknown.world_size = 8;
  const std::vector<const job::Trace*> list = {&unknown};
  result::Communication out;
  aggregate::find_missing_ranks(list, out);
  CHECK(out.missing_count == 0);
}

} // namespace test_communication
