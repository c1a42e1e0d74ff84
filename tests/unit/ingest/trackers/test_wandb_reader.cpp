#include "ingest/trackers/wandb_file.h"
#include "ingest/trackers/wandb_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_wandb_reader {

using namespace debrief;
using test::WandbFile;

ingest::FileReading read(const std::string& bytes, std::size_t piece = SIZE_MAX) {
  return test::read_text(ingest::WandbReader{}, "wandb/run-1/run-x.wandb", bytes, piece);
}

const ingest::SeriesPart* find(const ingest::LoggedRun& run, const std::string& type,
                               const std::string& name, const std::string& dimension) {
  for (const ingest::SeriesPart& part : run.metrics)
    if (part.name == job::MetricName{type, name, dimension}) return &part;
  return nullptr;
}

WandbFile small_run() {
  WandbFile file;
  file.run("x1", "my run", "host-7", 1'700'000'000, {{"lr", "0.1"}, {"model", R"("resnet")"}});
  file.history(
      {{"_step", "0"}, {"loss", "2.5"}, {"_timestamp", "1700000001.5"}, {"_runtime", "1"}});
  file.history(
      {{"_step", "1"}, {"loss", "NaN"}, {"_timestamp", "1700000002.5"}, {"note", R"("hi")"}});
  file.history({{"_step", "2"}, {"loss", R"("Infinity")"}, {"_timestamp", "1700000003.5"}});
  return file;
}

TEST_CASE("W&B's history, run, configuration and end are read") {
  const auto reading = read(small_run().exit(0).bytes());
  REQUIRE(reading.runs.size() == 1);
  const ingest::LoggedRun& run = reading.runs.front();
  CHECK(run.id == "x1");
  CHECK(run.name == "my run");
  CHECK(run.folder == "wandb/run-1");
  CHECK(run.described.status == "Completed");
  CHECK(run.described.start == test::at(0));
  CHECK(run.described.hyperparameters ==
        std::map<std::string, std::string>{{"lr", "0.1"}, {"model", "resnet"}});
  REQUIRE(run.scalars.size() == 1); // neither "_runtime" nor a text
  CHECK(run.scalars[0].name == "loss");
  CHECK(run.scalars[0].steps == std::vector<std::int64_t>{0, 1, 2});
  CHECK(run.scalars[0].times ==
        std::vector<Microseconds>{test::at(1.5), test::at(2.5), test::at(3.5)});
  CHECK(run.scalars[0].values[0] == 2.5);
  CHECK(std::isnan(run.scalars[0].values[1]));
  CHECK(std::isinf(run.scalars[0].values[2]));
  CHECK(reading.report.skipped.empty());
  CHECK(reading.report.damaged_files.empty());
}

TEST_CASE("a W&B run that ended with another code than 0 has failed") {
  const auto failed = read(small_run().exit(1).bytes());
  CHECK(failed.runs.front().described.status == "Failed");
  REQUIRE(failed.runs.front().failures.size() == 1);
  CHECK(failed.runs.front().failures.front().exit_code == 1);
  CHECK(failed.runs.front().failures.front().type.empty());
  CHECK_FALSE(read(small_run().bytes()).runs.front().described.status);
}

TEST_CASE("W&B's statistics get the recorder's names, and counters become rates") {
  WandbFile file;
  file.run("x1", "r", "host-7", 1'700'000'000);
  const auto stats = [&](int second, const char* gpu, const char* sent, const char* disk) {
    file.stats(1'700'000'000 + second, {{"gpu.0.gpu", gpu},
                                        {"gpu.0.powerWatts", "300.5"},
                                        {"gpu.process.0.gpu", gpu},
                                        {"cpu", "6.5"},
                                        {"memory_percent", "12"},
                                        {"network.sent", sent},
                                        {"disk.sda.in", disk},
                                        {"disk.sdb.in", disk},
                                        {"disk./.usagePercent", "20"}});
  };
  stats(0, "50", "1000", "1");
  stats(2, "70", "5000", "3");
  stats(4, "null", "10", "3"); // the counter was started anew
  const auto reading = read(file.bytes());
  const ingest::LoggedRun& run = reading.runs.front();
  const auto* gpu = find(run, "gpu", "gpu0", "GPUUtilization");
  REQUIRE(gpu != nullptr);
  CHECK(gpu->node == "host-7");
  CHECK(gpu->source == ingest::MetricSource::wandb);
  CHECK(gpu->columns.values == std::vector<double>{50, 70});
  CHECK(gpu->columns.times == std::vector<Microseconds>{test::at(0), test::at(2)});
  REQUIRE(find(run, "gpu", "gpu0", "GPUPowerWatts") != nullptr);
  REQUIRE(find(run, "cpu", "all cores", "CPUUtilization") != nullptr);
  REQUIRE(find(run, "memory", "MemoryUsedPercent", "") != nullptr);
  const auto* sent = find(run, "network", "TransmitBytesPerSecond", "Algorithm");
  REQUIRE(sent != nullptr);
  CHECK(sent->columns.values == std::vector<double>{2000});
  const auto* disk = find(run, "i/o", "ReadThroughputInBytesPerSecond", "");
  REQUIRE(disk != nullptr);
  CHECK(disk->columns.values == std::vector<double>{2 * 1048576.0, 0}); // two disks
}

TEST_CASE("a label in W&B's keys names the machine") {
  WandbFile file;
  file.run("x1", "r", "host-7", 1'700'000'000);
  file.stats(1'700'000'000, {{"gpu.0.gpu/l:worker-1", "50"}, {"gpu.0.gpu", "60"}});
  const auto reading = read(file.bytes());
  REQUIRE(reading.runs.front().metrics.size() == 2);
  CHECK(reading.runs.front().metrics[0].node == "host-7");
  CHECK(reading.runs.front().metrics[1].node == "worker-1");
}

TEST_CASE("a W&B record that is split over blocks is read, in pieces of any size") {
  WandbFile file = small_run();
  file.history({{"_step", "3"}, {"table", '"' + std::string(100'000, 'x') + '"'}, {"loss", "1"}});
  file.history({{"_step", "4"}, {"loss", "0.5"}});
  for (const std::size_t piece : {std::size_t{100}, std::size_t{4096}, SIZE_MAX}) {
    const auto reading = read(file.bytes(), piece);
    CHECK(reading.runs.front().scalars[0].steps == std::vector<std::int64_t>{0, 1, 2, 3, 4});
    CHECK(reading.report.skipped.empty());
  }
}

TEST_CASE("a damaged block of a W&B run costs no more than itself") {
  WandbFile file = small_run();
  for (int step = 3; step < 3000; ++step)
    file.history({{"_step", std::to_string(step)}, {"loss", "1"}});
  std::string bytes = file.bytes();
  bytes[40'000] ^= 1; // in the second block
  const auto reading = read(bytes);
  const auto& steps = reading.runs.front().scalars[0].steps;
  CHECK(steps.size() < 3000);
  CHECK(steps.size() > 1500);
  CHECK(steps.back() == 2999);
  CHECK(test::count_in(reading.report.skipped, "damaged part of a W&B run") == 1);
}

TEST_CASE("a W&B run may end anywhere") {
  WandbFile file = small_run();
  file.stats(1'700'000'000, {{"gpu.0.gpu", "50"}});
  const std::string bytes = file.bytes();
  std::size_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto reading = read(bytes.substr(0, size));
    std::size_t values = 0;
    for (const ingest::LoggedRun& run : reading.runs)
      for (const job::ScalarSeries& series : run.scalars)
        values += series.size();
    CHECK(values >= most);
    CHECK(values <= 3);
    most = values;
  }
}

TEST_CASE("a W&B run is known by its first bytes") {
  CHECK(test::reader_for("x", small_run().bytes()) == "W&B run");
}

TEST_CASE("what a failed run died of is in what it printed") {
  const auto died = [](int code) {
    return read(
        small_run()
            .printed("Traceback (most recent call last):\n  File \"a.py\", li", 1'700'000'100)
            .printed("ne 3, in f\nValueError: no\n", 1'700'000'101)
            .exit(code)
            .bytes());
  };
  const auto reading = died(1);
  REQUIRE(reading.runs.front().failures.size() == 1);
  const job::Failure& failure = reading.runs.front().failures.front();
  CHECK(failure.type == "ValueError");
  CHECK(failure.message == "no");
  CHECK(failure.frames.size() == 1);
  CHECK(failure.time == 1'700'000'101 * kSecond);
  CHECK(failure.exit_code == 1);
  CHECK(died(0).runs.front().failures.empty()); // it was handled
}

} // namespace test_wandb_reader
