#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>
#include <fmt/format.h>

#include <numeric>

namespace test_memory {

using namespace debrief;
using Catch::Matchers::WithinAbs;
using test::TraceMaker;

namespace {

/// On the maker's first thread, at a time in microseconds.
void allocate(TraceMaker& maker, std::int64_t time, std::uint64_t address, std::int64_t bytes,
              std::int64_t allocated, bool gpu = true) {
  job::MemoryEvent event;
  event.time = to_nanoseconds(time);
  event.bytes = bytes;
  event.address = address;
  event.allocated = allocated;
  event.reserved = gpu ? 5000 : 0;
  event.gpu = gpu;
  event.device = gpu ? 0 : -1;
  maker.trace().memory.push_back(event);
}

std::vector<result::DeviceMemory> memory_of(const std::vector<job::Trace>& traces) {
  std::vector<aggregate::TraceIndex> indices;
  for (const job::Trace& trace : traces)
    indices.emplace_back(trace);
  return aggregate::device_memory(indices);
}

std::string text_of(const std::vector<result::MemoryHolder>& holders) {
  std::string text;
  for (const result::MemoryHolder& holder : holders)
    text +=
        fmt::format("{} in {}: {} in {}; ", holder.op, holder.outer, holder.bytes, holder.blocks);
  return text;
}

std::int64_t sum_of(const result::DeviceMemory& memory) {
  std::int64_t sum = memory.before_trace;
  for (const result::MemoryHolder& holder : memory.holders)
    sum += holder.bytes;
  return sum;
}

} // namespace

TEST_CASE("who holds memory at the peak, and what was there before") {
  TraceMaker maker;
  maker.trace().gpus = {{0, "NVIDIA H200", 80'000, {}, {}, {}, {}}};
  maker.step(1, 0, 100'000);
  maker.cpu(job::SliceKind::op, "aten::linear", 10'000, 20'000);
  maker.cpu(job::SliceKind::op, "aten::mm", 12'000, 18'000);
  maker.cpu(job::SliceKind::op, "aten::add", 30'000, 40'000);
  allocate(maker, 5, 1, -100, 900);  // a block that was there before
  allocate(maker, 13, 2, 300, 1200); // aten::mm
  allocate(maker, 14, 3, 500, 1700); // aten::mm, freed before the peak
  allocate(maker, 15, 3, -500, 1200);
  allocate(maker, 16, 3, 200, 1400);  // the address again
  allocate(maker, 35, 4, 1000, 2400); // aten::add: the peak
  allocate(maker, 36, 2, -300, 2100);
  const auto rows = memory_of(test::list_of(maker.make()));
  REQUIRE(rows.size() == 1);
  const result::DeviceMemory& gpu = rows[0];
  CHECK(gpu.device == "GPU 0");
  CHECK(gpu.capacity == 80'000);
  CHECK(gpu.events == 7);
  CHECK(gpu.peak_allocated == 2400);
  CHECK(gpu.peak_reserved == 5000);
  CHECK(gpu.peak_time == 35);
  CHECK(gpu.before_trace == 900);
  CHECK(text_of(gpu.holders) == "aten::add in aten::add: 1000 in 1; "
                                "aten::mm in aten::linear: 500 in 2; ");
  CHECK(gpu.times == std::vector<Microseconds>{5, 13, 14, 15, 16, 35, 36});
  CHECK(gpu.allocated == std::vector<std::int64_t>{900, 1200, 1700, 1200, 1400, 2400, 2100});
  CHECK_FALSE(gpu.growth_per_step);
}

TEST_CASE("the CPU's curve is the sum of its blocks, since its allocators' totals are not one") {
  TraceMaker maker;
  allocate(maker, 1, 1, -700, 0, false);
  allocate(maker, 2, 2, 300, 0, false);
  allocate(maker, 3, 3, 8, 8, false);
  allocate(maker, 4, 3, -8, 0, false);
  allocate(maker, 5, 2, -300, 0, false);
  allocate(maker, 6, 9, 50, 50);
  const auto rows = memory_of(test::list_of(maker.make()));
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].device == "GPU 0");
  const result::DeviceMemory& cpu = rows[1];
  CHECK(cpu.device == "CPU");
  CHECK(cpu.allocated == std::vector<std::int64_t>{0, 300, 308, 300, 0});
  CHECK(cpu.peak_allocated == 308);
  CHECK(cpu.before_trace == 0);
  CHECK(sum_of(cpu) == 308);
  CHECK_FALSE(cpu.capacity);
}

TEST_CASE("totals that are less than what is alive are not believed") {
  TraceMaker maker;
  allocate(maker, 1, 1, 400, 0);
  allocate(maker, 2, 2, 500, 0);
  const auto rows = memory_of(test::list_of(maker.make()));
  CHECK(rows[0].peak_allocated == 900);
  CHECK(sum_of(rows[0]) == 900);
}

TEST_CASE("blocks of an earlier cycle may be gone in a later one") {
  TraceMaker first{"rank 0"};
  first.step(1, 0, 10'000);
  allocate(first, 1, 1, 400, 1400);
  TraceMaker second{"rank 0"};
  second.step(50, 500'000, 510'000);
  allocate(second, 501, 2, 600, 2000);
  const auto rows = memory_of(test::list_of(second.make(), first.make()));
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].times == std::vector<Microseconds>{1, 501});
  CHECK(rows[0].peak_allocated == 2000);
  CHECK(rows[0].before_trace == 1400);
  CHECK(rows[0].holders.size() == 1);
}

TEST_CASE("many holders end with one for the rest, so that they sum to the peak") {
  TraceMaker maker;
  std::int64_t total = 0;
  for (int i = 0; i < 30; ++i) {
    maker.cpu(job::SliceKind::op, fmt::format("op{}", i), i * 1000, i * 1000 + 900);
    allocate(maker, i, static_cast<std::uint64_t>(i + 1), 100 + i, total += 100 + i);
  }
  const auto rows = memory_of(test::list_of(maker.make()));
  REQUIRE(rows[0].holders.size() == result::kMaxHolders);
  CHECK(rows[0].holders.front().op == "op29");
  CHECK(rows[0].holders.back().op.empty());
  CHECK(rows[0].holders.back().other_count == 11);
  CHECK(rows[0].holders.back().blocks == 11);
  CHECK(sum_of(rows[0]) == total);
}

TEST_CASE("growth per step is the slope through the steps' ends") {
  TraceMaker maker;
  for (int i = 0; i < 4; ++i) {
    maker.step(i, i * 10'000, (i + 1) * 10'000);
    allocate(maker, i * 10 + 1, 7, 900, 1000 + 100 * i + 900); // comes and goes in each step
    allocate(maker, i * 10 + 8, 7, -900, 1000 + 100 * i);
  }
  CHECK_THAT(memory_of(test::list_of(maker.make()))[0].growth_per_step.value(),
             WithinAbs(100, 1e-9));

  const std::vector<aggregate::StepEndLevel> two = {{1, 10}, {2, 20}};
  CHECK_FALSE(aggregate::growth_per_step(two));
  const std::vector<aggregate::StepEndLevel> same = {{1, 10}, {1, 20}, {1, 30}};
  CHECK_FALSE(aggregate::growth_per_step(same));
  const std::vector<aggregate::StepEndLevel> apart = {{1, 10}, {2, 20}, {101, 1010}};
  CHECK_THAT(aggregate::growth_per_step(apart).value(), WithinAbs(10, 1e-9));
}

TEST_CASE("a long curve is thinned without losing its peaks") {
  std::vector<aggregate::MemoryLevel> levels;
  for (int i = 0; i < 100'000; ++i)
    levels.push_back({to_nanoseconds(i), i % 7, 10});
  levels[54'321].allocated = 1'000'000;
  levels[12'345].reserved = 2'000'000;
  levels[77'777].allocated = -1;
  result::DeviceMemory memory;
  aggregate::thin_into(levels, memory);
  CHECK(memory.times.size() <= result::kMaxMemoryPoints);
  CHECK(memory.times.size() > result::kMaxMemoryPoints / 2);
  CHECK(memory.times.front() == 0);
  CHECK(memory.times.back() == 99'999);
  CHECK(std::is_sorted(memory.times.begin(), memory.times.end()));
  CHECK(*std::max_element(memory.allocated.begin(), memory.allocated.end()) == 1'000'000);
  CHECK(*std::min_element(memory.allocated.begin(), memory.allocated.end()) == -1);
  CHECK(*std::max_element(memory.reserved.begin(), memory.reserved.end()) == 2'000'000);
}

} // namespace test_memory
