#include "ingest/trackers/mlflow_db_reader.h"
#include "ingest/trackers/mlflow_files_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <sqlite3.h>

namespace test_mlflow_readers {

using namespace debrief;

constexpr const char* kSchema = R"(
  CREATE TABLE runs (run_uuid TEXT, name TEXT, status TEXT, start_time BIGINT, end_time BIGINT,
                     lifecycle_stage TEXT);
  CREATE TABLE metrics (key TEXT, value FLOAT, timestamp BIGINT, run_uuid TEXT, step BIGINT,
                        is_nan BOOLEAN);
  CREATE TABLE latest_metrics (key TEXT, value FLOAT);
  CREATE TABLE params (key TEXT, value TEXT, run_uuid TEXT);
)";

constexpr const char* kRows = R"(
  INSERT INTO runs VALUES ('a1', 'first', 'FINISHED', 1700000000000, 1700000060000, 'active');
  INSERT INTO runs VALUES ('b2', 'second', 'KILLED', 1700001000000, NULL, 'active');
  INSERT INTO runs VALUES ('c3', 'third', 'FAILED', 1700002000000, NULL, 'deleted');
  INSERT INTO params VALUES ('lr', '0.1', 'a1');
  INSERT INTO metrics VALUES ('loss', 2.0, 1700000002000, 'a1', 2, 0);
  INSERT INTO metrics VALUES ('loss', 3.0, 1700000001000, 'a1', 1, 0);
  INSERT INTO metrics VALUES ('loss', 0.0, 1700000003000, 'a1', 3, 1);
  INSERT INTO metrics VALUES ('loss', 1.7976931348623157e308, 1700000004000, 'a1', 4, 0);
  INSERT INTO metrics VALUES ('system/gpu_0_utilization_percentage', 80, 1700000001000, 'a1', 0, 0);
  INSERT INTO metrics VALUES ('system/cpu_utilization_percentage', 8, 1700000001000, 'a1', 0, 0);
  INSERT INTO metrics VALUES ('system/network_receive_megabytes', 1, 1700000001000, 'a1', 0, 0);
  INSERT INTO metrics VALUES ('system/network_receive_megabytes', 3, 1700000002000, 'a1', 1, 0);
  INSERT INTO metrics VALUES ('system/disk_usage_percentage', 3, 1700000002000, 'a1', 1, 0);
  INSERT INTO metrics VALUES ('loss', 9.0, 1700001001000, 'b2', 1, 0);
  INSERT INTO metrics VALUES ('loss', 9.0, 1700001001000, 'nobody', 1, 0);
)";

std::string database(const std::string& sql) {
  sqlite3* made = nullptr;
  REQUIRE(sqlite3_open(":memory:", &made) == SQLITE_OK);
  REQUIRE(sqlite3_exec(made, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_int64 size = 0;
  unsigned char* bytes = sqlite3_serialize(made, "main", &size, 0);
  std::string out{reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(size)};
  sqlite3_free(bytes);
  sqlite3_close(made);
  return out;
}

ingest::FileReading read(const std::string& bytes) {
  return test::read_text(ingest::MlflowDatabaseReader{}, "store/mlflow.db", bytes);
}

ingest::FileReading read_file(const std::string& path, const std::string& text) {
  static const std::vector<std::string> all = {"mlruns/0/a1/meta.yaml", "mlruns/0/a1/metrics/loss",
                                               "mlruns/0/a1/params/lr"};
  return test::read_text(ingest::MlflowFilesReader{}, path, text, SIZE_MAX, all);
}

TEST_CASE("every run of an MLflow database is read") {
  const auto reading = read(database(std::string{kSchema} + kRows));
  REQUIRE(reading.runs.size() == 3);
  const ingest::LoggedRun& run = reading.runs[0];
  CHECK(run.id == "a1");
  CHECK(run.name == "first");
  CHECK(run.folder == "store");
  CHECK(run.described.status == "Completed");
  CHECK(run.described.start == test::at(0));
  CHECK(run.described.end == test::at(60));
  CHECK(run.described.hyperparameters == std::map<std::string, std::string>{{"lr", "0.1"}});
  REQUIRE(run.scalars.size() == 1);
  CHECK(run.scalars[0].steps == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(run.scalars[0].times[0] == test::at(1));
  CHECK(run.scalars[0].values[0] == 3);
  CHECK(std::isnan(run.scalars[0].values[2]));
  CHECK(std::isinf(run.scalars[0].values[3])); // stored as the largest number
  CHECK(reading.runs[1].described.status == "Stopped");
  CHECK_FALSE(reading.runs[1].described.end);
  CHECK_FALSE(reading.runs[1].deleted);
  CHECK(reading.runs[2].deleted);
  CHECK(test::count_in(reading.report.skipped, "MLflow metric of an unknown run") == 1);
}

TEST_CASE("MLflow's system metrics get the recorder's names") {
  const auto reading = read(database(std::string{kSchema} + kRows));
  const auto& metrics = reading.runs[0].metrics;
  REQUIRE(metrics.size() == 3); // not how full the disk is
  CHECK(metrics[0].name == job::MetricName{"cpu", "all cores", "CPUUtilization"});
  CHECK(metrics[1].name == test::gpu(0));
  CHECK(metrics[1].source == ingest::MetricSource::mlflow);
  CHECK(metrics[1].columns.values == std::vector<double>{80});
  CHECK(metrics[1].node.empty());
  CHECK(metrics[2].name == job::MetricName{"network", "ReceiveBytesPerSecond", "Algorithm"});
  CHECK(metrics[2].columns.values == std::vector<double>{2e6});
}

TEST_CASE("an MLflow database of an older schema lacks columns") {
  const auto reading = read(database(R"(
    CREATE TABLE runs (run_uuid TEXT, start_time BIGINT);
    CREATE TABLE metrics (key TEXT, value FLOAT, timestamp BIGINT, run_uuid TEXT);
    CREATE TABLE latest_metrics (key TEXT);
    INSERT INTO runs VALUES ('a1', 1700000000000);
    INSERT INTO metrics VALUES ('loss', 2.0, 1700000002000, 'a1');
  )"));
  REQUIRE(reading.runs.size() == 1);
  CHECK(reading.runs[0].scalars[0].values == std::vector<double>{2});
  CHECK(reading.report.damaged_files.empty());
}

TEST_CASE("views that never end are not asked") {
  const auto reading = read(database(R"(
    CREATE TABLE runs (run_uuid TEXT);
    CREATE TABLE latest_metrics (key TEXT);
    CREATE VIEW metrics AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r)
      SELECT 'a' AS key, x AS value, 0 AS timestamp, 'a1' AS run_uuid, 0 AS step, 0 AS is_nan FROM r;
    INSERT INTO runs VALUES ('a1');
  )"));
  REQUIRE(reading.runs.size() == 1);
  CHECK(reading.runs[0].scalars.empty());
}

TEST_CASE("an MLflow database may end or break anywhere") {
  const std::string bytes = database(std::string{kSchema} + kRows);
  for (std::size_t size = 0; size < bytes.size(); size += 97)
    for (const ingest::LoggedRun& run : read(bytes.substr(0, size)).runs)
      CHECK(run.id.size() == 2);
  for (std::size_t at = 100; at < bytes.size(); at += 41) {
    std::string broken = bytes;
    broken[at] = static_cast<char>(broken[at] ^ 0x55);
    read(broken);
  }
}

TEST_CASE("only databases of MLflow are read") {
  CHECK(test::reader_for("x.db", database(std::string{kSchema})) == "MLflow database");
  CHECK(test::reader_for("x.db", database("CREATE TABLE t (x)")).empty());
}

TEST_CASE("MLflow's text files give their parts of a run") {
  const auto meta = read_file("mlruns/0/a1/meta.yaml",
                              "artifact_uri: file:///x\nend_time: 1700000060000\nlifecycle_stage: "
                              "active\nrun_id: a1\nrun_name: 'my run'\nstart_time: "
                              "1700000000000\nstatus: 3\n");
  REQUIRE(meta.runs.size() == 1);
  CHECK(meta.runs[0].id == "a1");
  CHECK(meta.runs[0].name == "my run");
  CHECK(meta.runs[0].described.status == "Completed");
  CHECK(meta.runs[0].described.end == test::at(60));
  CHECK(meta.runs[0].folder == "mlruns/0/a1");
  const auto metric = read_file("mlruns/0/a1/metrics/loss", "1700000001000 2.5 1\n"
                                                            "1700000002000 nan 2\n"
                                                            "nothing\n"
                                                            "1700000003000 0.5 3 data digest\n"
                                                            "1700000004000 0.2");
  REQUIRE(metric.runs.size() == 1);
  CHECK(metric.runs[0].folder == "mlruns/0/a1");
  CHECK(metric.runs[0].scalars[0].steps == std::vector<std::int64_t>{1, 2, 3});
  CHECK(std::isnan(metric.runs[0].scalars[0].values[1]));
  CHECK(test::count_in(metric.report.skipped, "last line is cut off") == 1);
  CHECK(test::count_in(metric.report.skipped, "line of an MLflow metric that is not valid") == 1);
  const auto parameter = read_file("mlruns/0/a1/params/lr", "0.1");
  CHECK(parameter.runs[0].described.hyperparameters ==
        std::map<std::string, std::string>{{"lr", "0.1"}});
}

} // namespace test_mlflow_readers
