#include "ingest/xgboost/evals_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_evals_reader {

using namespace debrief;

namespace {

bool recognizes(const std::string& text, const std::string& path = "result.json") {
  test::TextSource source{text};
  ingest::BlockReader bytes{source};
  bytes.more();
  return ingest::EvalsResultReader{}.recognizes({path, {}, bytes});
}

ingest::FileReading read(const std::string& text, std::size_t piece = SIZE_MAX) {
  return test::read_text(ingest::EvalsResultReader{}, "a/evals_result.json", text, piece);
}

} // namespace

TEST_CASE("evals_result: known by its shape and the names of its metrics") {
  CHECK(recognizes(R"({"train": {"logloss": [0.6, 0.5]}})"));
  CHECK(recognizes("\n{ \"validation_0\" : { \"error@0.7\" : [ NaN ] } }"));
  CHECK(recognizes(R"({"a": {"mine": [1]}})", "runs/evals_result.json"));
  CHECK_FALSE(recognizes(R"({"a": {"mine": [1]}})"));
  CHECK_FALSE(recognizes(R"({"a": {"rmse": []}})"));
  CHECK_FALSE(recognizes(R"({"a": {"rmse": 1}})"));
  CHECK_FALSE(recognizes(R"({"rmse": [1]})"));
  CHECK_FALSE(recognizes("{"));
  CHECK_FALSE(recognizes(R"({"a)"));
}

TEST_CASE("evals_result: a scalar for each set and metric, a step for each round") {
  for (const std::size_t piece : {SIZE_MAX, std::size_t{3}}) {
    const auto reading =
        read(R"({"train": {"rmse": [3, 2.5, NaN], "mae": [1]}, "eval": {"rmse": [-1e-3]}})", piece);
    REQUIRE(reading.runs.size() == 1);
    const auto& run = reading.runs.front();
    CHECK(run.source == job::ScalarSource::xgboost);
    CHECK(run.folder == "a");
    REQUIRE(run.scalars.size() == 3);
    CHECK(run.scalars[0].name == "train-rmse");
    CHECK(run.scalars[0].steps == std::vector<std::int64_t>{0, 1, 2});
    CHECK(run.scalars[0].values[1] == 2.5);
    CHECK(std::isnan(run.scalars[0].values[2]));
    CHECK(run.scalars[2].name == "eval-rmse");
    CHECK(run.scalars[2].values[0] == -1e-3);
    CHECK(reading.report.skipped.empty());
  }
}

TEST_CASE("evals_result: what is no metric of a round is counted, and so is damage") {
  const auto odd = read(R"({"train": {"rmse": [3, "x", 2, [7]], "n": 4}, "other": 5})");
  CHECK(odd.runs.front().scalars[0].steps == std::vector<std::int64_t>{0, 2});
  REQUIRE(odd.report.skipped.size() == 1);
  CHECK(odd.report.skipped.begin()->second.count == 4);
  const auto cut = read(R"({"train": {"rmse": [3, 2, 1.)");
  CHECK(cut.report.damaged_files.size() == 1);
  CHECK(cut.runs.front().scalars[0].values == std::vector<double>{3, 2});
  CHECK(read(R"({"train": {"rmse": [3, 2, 1.5)").runs.front().scalars[0].values ==
        std::vector<double>{3, 2}); // more digits may have followed
  CHECK(read(R"({"train": {"rmse": [3, 2, 1.5,)").runs.front().scalars[0].size() == 3);
  const auto twice = read(R"({"train": {"rmse": [3], "rmse": [4]}})");
  CHECK(twice.runs.front().scalars[0].values == std::vector<double>{3});
  CHECK(read(R"({"a": {"rmse": )" + std::string(100'000, '[')).report.damaged_files.size() == 1);
}

} // namespace test_evals_reader
