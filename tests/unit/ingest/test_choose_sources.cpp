#include "ingest/choose_sources.h"
#include "ingest/local_times.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_choose_sources {

using namespace debrief;
using ingest::MetricSource;
using ingest::SeriesPart;
using Files = std::vector<std::vector<SeriesPart>>;

SeriesPart part(MetricSource source, const std::string& node, const job::MetricName& name,
                double second = 0) {
  SeriesPart out;
  out.source = source;
  out.node = node;
  out.name = name;
  out.columns.times = {test::at(second), test::at(second + 10)};
  out.columns.values = {1, 2};
  return out;
}

const job::MetricName kAll{"cpu", "all cores", "CPUUtilization"};
const job::MetricName kPower{"gpu", "gpu0", "GPUPowerWatts"};

std::size_t kept(const Files& files, std::size_t file) {
  return static_cast<std::size_t>(
      std::count_if(files[file].begin(), files[file].end(),
                    [](const SeriesPart& one) { return !one.columns.times.empty(); }));
}

TEST_CASE("of several sources of a metric the first is used, and the others are listed") {
  Files files = {
      {part(MetricSource::mlflow, "", test::gpu(0)), part(MetricSource::mlflow, "", kPower)},
      {part(MetricSource::wandb, "vm", test::gpu(0))}};
  job::ReadingReport report;
  choose_sources(files, report);
  CHECK(kept(files, 0) == 1); // the power, which W&B has not
  CHECK(kept(files, 1) == 1);
  CHECK(files[0][1].node == "vm");
  REQUIRE(report.ignored.size() == 1);
  CHECK(report.ignored[0].path == "MLflow: GPUUtilization");
  CHECK(report.ignored[0].reason == "sampled by W&B, too, which is used");
}

TEST_CASE("samples whose file names no node are on the job's only one") {
  Files alone = {{part(MetricSource::nvidia_smi, "", test::gpu(0))}};
  job::ReadingReport report;
  choose_sources(alone, report);
  CHECK(alone[0][0].node == "node-1");
  Files recorded = {{part(MetricSource::recorder, "algo-1", test::cpu(0))},
                    {part(MetricSource::wandb, "ip-10-0-0-1", kPower)}};
  choose_sources(recorded, report);
  CHECK(recorded[1][0].node == "algo-1");
  CHECK(report.ignored.empty());
}

TEST_CASE("with several nodes, samples without one belong to none") {
  Files files = {{part(MetricSource::recorder, "algo-1", test::cpu(0)),
                  part(MetricSource::recorder, "algo-2", test::cpu(0))},
                 {part(MetricSource::nvidia_smi, "", test::gpu(0))}};
  job::ReadingReport report;
  choose_sources(files, report);
  CHECK(kept(files, 1) == 0);
  REQUIRE(report.ignored.size() == 1);
}

TEST_CASE("a mean over all cores gives way to the cores") {
  Files files = {
      {part(MetricSource::wandb, "vm", test::cpu(0)), part(MetricSource::wandb, "vm", kAll)}};
  job::ReadingReport report;
  choose_sources(files, report);
  CHECK(kept(files, 0) == 1);
}

TEST_CASE("local times are UTC unless the rest of the job says otherwise") {
  const auto shifted = [](double second, std::optional<TimeSpan> rest) {
    Files files = {{part(MetricSource::nvidia_smi, "", test::gpu(0), second)}};
    job::ReadingReport report;
    ingest::shift_local_times(files, rest, report);
    CHECK(report.repaired.size() == 1);
    return in_seconds(files[0][0].columns.times[0] - test::at(second));
  };
  const TimeSpan rest{test::at(0), test::at(100)};
  CHECK(shifted(50, rest) == 0);
  CHECK(shifted(50, std::nullopt) == 0);
  CHECK(shifted(3600 + 50, rest) == -3600);
  CHECK(shifted(-2.5 * 3600 + 50, rest) == 2.5 * 3600);
  CHECK(shifted(500, rest) == 0);              // no zone is off by this
  CHECK(shifted(30 * 3600.0 + 50, rest) == 0); // nor by this much
}

} // namespace test_choose_sources
