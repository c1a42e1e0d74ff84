#include "ingest/join_series.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_join_series {

using namespace debrief;
using test::count_in;

namespace {

ingest::SeriesPart part(const std::string& node, const job::MetricName& name,
                        std::vector<Microseconds> times, std::vector<double> values) {
  return {node, name, {std::move(times), std::move(values)}};
}

std::vector<double> values_of(const job::MetricSeries& series) {
  return {series.value_span().begin(), series.value_span().end()};
}

} // namespace

TEST_CASE("parts of several files become one series, sorted by time") {
  job::ReadingReport report;
  std::vector<ingest::SeriesPart> parts;
  parts.push_back(part("algo-1", test::cpu(0), {300, 400}, {3, 4}));
  parts.push_back(part("algo-1", test::cpu(0), {200, 100}, {2, 1}));
  parts.push_back(part("algo-2", test::cpu(0), {100}, {9}));
  const auto series = ingest::join_series({parts}, report);
  REQUIRE(series.size() == 2);
  CHECK(values_of(series[0]) == std::vector<double>{1, 2, 3, 4});
  CHECK(series[1].node == "algo-2");
  CHECK(report.repaired.empty());
}

TEST_CASE("files may have series in any order, and lack some") {
  job::ReadingReport report;
  const std::vector<std::vector<int>> orders = {{0, 1, 2}, {0, 1, 2}, {2, 0}, {1}, {}, {1, 0, 2}};
  std::vector<std::vector<ingest::SeriesPart>> files;
  std::vector<std::vector<double>> expected(3);
  Microseconds time = 0;
  for (const std::vector<int>& order : orders) {
    std::vector<ingest::SeriesPart>& parts = files.emplace_back();
    for (const int core : order) {
      const auto value = static_cast<double>(++time);
      parts.push_back(part("algo-1", test::cpu(core), {time}, {value}));
      expected[static_cast<std::size_t>(core)].push_back(value);
    }
  }
  const auto series = ingest::join_series(std::move(files), report);
  REQUIRE(series.size() == 3);
  for (std::size_t core = 0; core < 3; ++core) {
    CHECK(series[core].device == fmt::format("cpu{}", core));
    CHECK(values_of(series[core]) == expected[core]);
  }
}

TEST_CASE("a moment has one value") {
  job::ReadingReport report;
  std::vector<ingest::SeriesPart> parts;
  parts.push_back(part("algo-1", test::cpu(0), {100, 200, 200, 300}, {1, 2, 2, 3}));
  parts.push_back(part("algo-1", test::cpu(0), {300, 400}, {7, 4}));
  const auto series = ingest::join_series({parts}, report);
  CHECK(values_of(series.at(0)) == std::vector<double>{1, 2, 3, 4});
  CHECK(count_in(report.repaired, "repeated sample dropped") == 1);
  CHECK(count_in(report.repaired, "second value for one moment dropped") == 1);
}

TEST_CASE("series of one node come by metric and device, and share their times") {
  job::ReadingReport report;
  std::vector<ingest::SeriesPart> parts;
  for (const int core : {10, 2, 1})
    parts.push_back(part("algo-1", test::cpu(core), {100, 200}, {1, 2}));
  parts.push_back(part("algo-1", test::gpu(0), {101, 201}, {1, 2}));
  const auto series = ingest::join_series({parts}, report);
  REQUIRE(series.size() == 4);
  CHECK(series[0].device == "cpu1");
  CHECK(series[1].device == "cpu2");
  CHECK(series[2].device == "cpu10");
  CHECK(series[3].device == "gpu0");
  CHECK(series[0].times.shared_with(series[2].times));
  CHECK_FALSE(series[0].times.shared_with(series[3].times));
}

TEST_CASE("the outcome does not depend on the order of the parts") {
  const auto joined = [](bool reversed) {
    job::ReadingReport report;
    std::vector<ingest::SeriesPart> parts;
    for (Microseconds minute = 0; minute < 10; ++minute)
      parts.push_back(part("algo-1", test::cpu(0), {minute * 60, minute * 60 + 30},
                           {static_cast<double>(minute), 0.5}));
    if (reversed) std::reverse(parts.begin(), parts.end());
    return values_of(ingest::join_series({parts}, report).at(0));
  };
  CHECK(joined(false) == joined(true));
}

TEST_CASE("samples of a core or a GPU without its name are counted as lost") {
  job::ReadingReport report;
  std::vector<ingest::SeriesPart> parts;
  parts.push_back(part("algo-1", {"gpu", "", "GPUUtilization"}, {100, 200}, {1, 2}));
  parts.push_back(part("algo-1", {"other", "", "x"}, {100}, {1}));
  parts.push_back(part("algo-1", test::cpu(0), {100}, {1}));
  CHECK(ingest::join_series({parts}, report).size() == 2);
  CHECK(count_in(report.skipped, "sample of a core or a GPU without its Name") == 2);
}

} // namespace test_join_series
