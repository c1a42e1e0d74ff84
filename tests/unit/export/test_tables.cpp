#include "export/table_file.h"
#include "export/tables.h"
#include "support.h"
#include "util/error.h"

#include <arrow/api.h>
#include <catch2/catch_test_macros.hpp>

namespace test_tables {

using namespace debrief;

namespace {

std::string cell(const arrow::RecordBatch& batch, const char* column, std::int64_t row) {
  return (*batch.GetColumnByName(column)->GetScalar(row))->ToString();
}

} // namespace

TEST_CASE("metrics have PandasFrame's columns") {
  job::Job job;
  job.metrics.push_back(test::series("algo-1", test::cpu(0), {0.25, 1.25}, {10, 20}));
  std::vector<std::shared_ptr<arrow::RecordBatch>> batches;
  exports::for_each_metrics_batch(job, [&](const auto& batch) { batches.push_back(batch); });
  REQUIRE(batches.size() == 1);
  const arrow::RecordBatch& batch = *batches[0];
  REQUIRE(batch.num_rows() == 2);
  CHECK(cell(batch, "timestamp", 0) == "2023-11-14T22:13:20:250000");
  CHECK(cell(batch, "timestamp_us", 0) == "20250000"); // from the minute's start
  CHECK(cell(batch, "value", 1) == "20");
  CHECK(cell(batch, "system_metric", 0) == "cpu0");
  CHECK(cell(batch, "dimension", 0) == "CPUUtilization");
  CHECK(cell(batch, "nodeID", 0) == "algo-1");
  CHECK(cell(batch, "type", 0) == "cpu");
  CHECK(cell(batch, "unit", 0) == "%");
}

TEST_CASE("events have PandasFrame's columns, and null where nothing was recorded") {
  job::Job job;
  job.metrics.push_back(test::series("algo-1", test::cpu(0), {0}, {10}));
  job.events = test::steps({{"TRAIN", 5, 0.5}});
  std::shared_ptr<arrow::RecordBatch> batch;
  exports::for_each_events_batch(job, [&](const auto& it) { batch = it; });
  REQUIRE(batch);
  CHECK(cell(*batch, "start_time", 0) == "2023-11-14T22:13:25:000000");
  CHECK(cell(*batch, "end_time_us", 0) == "25500000");
  CHECK(cell(*batch, "framework_metric", 0) == "Step:ModeKeys.TRAIN");
  CHECK(cell(*batch, "process", 0) == "Step:ModeKeys.TRAIN");
  CHECK(cell(*batch, "nodeID", 0) == "algo-1-27");
  CHECK(cell(*batch, "step", 0) == "null");
  CHECK(cell(*batch, "bytes", 0) == "null");
  CHECK(cell(*batch, "duration_us", 0) == "500000");
}

TEST_CASE("a long series comes in batches, and no row is lost between them") {
  job::Job job;
  std::vector<double> times(150'000);
  for (std::size_t i = 0; i < times.size(); ++i)
    times[i] = static_cast<double>(i);
  job.metrics.push_back(test::series("algo-1", test::cpu(0), times, times));
  std::int64_t rows = 0;
  int batches = 0;
  exports::for_each_metrics_batch(job, [&](const auto& batch) {
    rows += batch->num_rows();
    ++batches;
  });
  CHECK(rows == 150'000);
  CHECK(batches == 3);
}

TEST_CASE("a file's ending says its format") {
  CHECK(exports::table_format_of("metrics.parquet") == exports::TableFormat::parquet);
  CHECK(exports::table_format_of("a.b/metrics.arrow") == exports::TableFormat::arrow_ipc);
  CHECK(exports::table_format_of("metrics.feather") == exports::TableFormat::arrow_ipc);
  CHECK(exports::table_format_of("metrics.csv") == exports::TableFormat::csv);
  CHECK_FALSE(exports::table_format_of("metrics.xlsx"));
  CHECK_FALSE(exports::table_format_of("parquet"));
}

TEST_CASE("a table that cannot be written is an error, and leaves nothing") {
  const test::Folder folder;
  const auto produce = [](const exports::BatchSink&) { throw std::runtime_error("out of luck"); };
  CHECK_THROWS_AS(exports::write_table(folder.path("metrics.parquet"),
                                       exports::TableFormat::parquet, exports::metrics_schema(),
                                       produce),
                  Error);
  CHECK(std::filesystem::is_empty(folder.path()));
}

} // namespace test_tables
