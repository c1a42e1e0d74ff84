#include "aggregate/trace/figures.h"
#include "aggregate/trace/trace_maker.h"

#include <catch2/catch_test_macros.hpp>

namespace test_memory_categories {

using namespace debrief;
using job::SliceKind;
using test::TraceMaker;

namespace {

void memory(TraceMaker& maker, std::int64_t time, std::uint64_t address, std::int64_t bytes,
            std::int64_t allocated, bool gpu = true) {
  job::MemoryEvent event;
  event.time = Nanoseconds{time};
  event.bytes = bytes;
  event.address = address;
  event.allocated = allocated;
  event.gpu = gpu;
  event.device = gpu ? 0 : -1;
  maker.trace().memory.push_back(event);
}

/// 1000 bytes were there before. Forward, backward and optimizer are each a microsecond long.
TraceMaker training_step(bool gpu = true) {
  TraceMaker maker;
  maker.step(1, 0, 10'000);
  maker.cpu(SliceKind::op, "aten::relu", 1000, 2000);
  maker.cpu(SliceKind::op, "autograd::engine::evaluate_function: ReluBackward0", 3000, 4000);
  maker.cpu(SliceKind::annotation, "Optimizer.step#AdamW.step", 5000, 6000);
  memory(maker, 1100, 1, 300, 1300, gpu); // an activation
  memory(maker, 1200, 2, 20, 1320, gpu);  // of the forward pass alone
  memory(maker, 1300, 2, -20, 1300, gpu);
  memory(maker, 3100, 3, 50, 1350, gpu); // a gradient
  memory(maker, 3200, 1, -300, 1050, gpu);
  memory(maker, 5100, 4, 100, 1150, gpu); // of the optimizer
  return maker;
}

result::MemoryByCategory categories_of(job::Trace trace) {
  const aggregate::TraceIndex index(trace);
  return aggregate::device_memory({&index, 1}).at(0).by_category;
}

} // namespace

TEST_CASE(
    "a block's category is told by when it was allocated and freed, and all sum to the level") {
  const result::MemoryByCategory found = categories_of(training_step().make());
  REQUIRE(found.times.size() == 6);
  using Bytes = std::vector<std::int64_t>;
  CHECK(found.bytes[0] == Bytes{1000, 1000, 1000, 1000, 1000, 1100}); // and optimizer state
  CHECK(found.bytes[1] == Bytes{0, 0, 0, 50, 50, 50});
  CHECK(found.bytes[2] == Bytes{300, 300, 300, 300, 0, 0});
  CHECK(found.bytes[3] == Bytes{0, 20, 0, 0, 0, 0});
}

TEST_CASE("the CPU's memory, and a trace without steps, have no categories") {
  CHECK(categories_of(training_step(false).make()).empty());
  TraceMaker maker;
  maker.cpu(SliceKind::op, "aten::relu", 1000, 2000);
  memory(maker, 1100, 1, 300, 1300);
  memory(maker, 1200, 1, -300, 1000);
  CHECK(categories_of(maker.make()).empty());
}

} // namespace test_memory_categories
