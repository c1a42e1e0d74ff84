#include "aggregate/trace/trace_maker.h"
#include "export/tables.h"

#include <arrow/api.h>
#include <catch2/catch_test_macros.hpp>

namespace test_slices_table {

using namespace debrief;

namespace {

std::string cell(const arrow::RecordBatch& batch, const char* column, std::int64_t row) {
  return (*batch.GetColumnByName(column)->GetScalar(row))->ToString();
}

} // namespace

TEST_CASE("slices have their operator, their launch and the step that launched them") {
  job::Job job;
  test::TraceMaker maker{"algo-1-27"};
  maker.step(4, 0, 100);
  maker.cpu(job::SliceKind::op, "aten::mm", 10, 50);
  maker.launched("gemm", 20, 150, 250); // runs after its step
  maker.trace().rank = 3;
  maker.trace().clock_known = false;
  job.traces.push_back(maker.make());
  std::shared_ptr<arrow::RecordBatch> batch;
  exports::for_each_slices_batch(job, [&](const auto& it) { batch = it; });
  REQUIRE(batch);
  REQUIRE(batch->num_rows() == 4);
  CHECK(cell(*batch, "kind", 1) == "operator");
  CHECK(cell(*batch, "op", 1) == "null");
  CHECK(cell(*batch, "device", 1) == "null");
  CHECK(cell(*batch, "op", 2) == "aten::mm");
  CHECK(cell(*batch, "process", 3) == "algo-1-27");
  CHECK(cell(*batch, "rank", 3) == "3");
  CHECK(cell(*batch, "track", 3) == "GPU 0 stream 7");
  CHECK(cell(*batch, "name", 3) == "gemm");
  CHECK(cell(*batch, "start_ns", 3) == "150");
  CHECK(cell(*batch, "duration_ns", 3) == "100");
  CHECK(cell(*batch, "time", 3) == "null");
  CHECK(cell(*batch, "correlation", 3) == "1");
  CHECK(cell(*batch, "op", 3) == "aten::mm");
  CHECK(cell(*batch, "stream", 3) == "7");
  CHECK(cell(*batch, "step", 3) == "4");
  CHECK(cell(*batch, "launch_ns", 3) == "20");
  CHECK(cell(*batch, "bytes", 3) == "null");
}

} // namespace test_slices_table
