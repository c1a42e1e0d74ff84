#include "ingest/trackers/csv_line.h"
#include "ingest/trackers/metrics_csv_reader.h"
#include "ingest/trackers/trainer_state_reader.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_trainer_log_readers {

using namespace debrief;
using test::count_in;

namespace {

const job::ScalarSeries* find(const ingest::LoggedRun& run, const std::string& name) {
  for (const job::ScalarSeries& series : run.scalars)
    if (series.name == name) return &series;
  return nullptr;
}

} // namespace

TEST_CASE("a trainer's state is read with Python's bare NaN and Infinity") {
  const auto reading = test::read_text(ingest::TrainerStateReader{}, "out/trainer_state.json", R"({
    "global_step": 20, "total_flos": 5e12, "train_batch_size": 4, "note": "NaN in a text: \"NaN",
    "log_history": [
      {"epoch": 0.1, "loss": 2.5, "grad_norm": NaN, "step": 10},
      {"eval_loss": -Infinity, "eval_runtime": 0.25, "step": 10},
      {"loss": 1.5, "grad_norm": Infinity, "step": 20, "nested": {"loss": 7}},
      {"loss": 1.0},
      {"train_runtime": 8.0, "train_samples_per_second": 10.5, "train_loss": 2.0, "step": 20}]})");
  REQUIRE(reading.runs.size() == 1);
  const ingest::LoggedRun& run = reading.runs.front();
  CHECK(run.folder == "out");
  CHECK(run.totals.steps == 20);
  CHECK(run.totals.batch_size == 4);
  CHECK(run.totals.total_flos == 5e12);
  CHECK(run.totals.runtime == 8.0);
  CHECK(run.totals.samples_per_second == 10.5);
  CHECK(run.totals.evaluation_runtime == 0.25);
  CHECK(run.totals.evaluations == 1);
  REQUIRE(find(run, "loss") != nullptr);
  CHECK(find(run, "loss")->steps == std::vector<std::int64_t>{10, 20});
  CHECK(find(run, "loss")->values == std::vector<double>{2.5, 1.5});
  CHECK(!find(run, "loss")->has_times());
  CHECK(std::isnan(find(run, "grad_norm")->values[0]));
  CHECK(std::isinf(find(run, "grad_norm")->values[1]));
  CHECK(find(run, "eval_loss")->values[0] < 0);
  CHECK(find(run, "train_loss") == nullptr); // of the whole run
  CHECK(find(run, "epoch") == nullptr);
  CHECK(count_in(reading.report.skipped, "entry of a trainer's log without a step") == 1);
}

TEST_CASE("a trainer's state that was cut off gives what comes before") {
  const auto reading =
      test::read_text(ingest::TrainerStateReader{}, "trainer_state.json",
                      R"({"global_step": 20, "log_history": [{"loss": 2.5, "step": 10}, {"loss")");
  REQUIRE(reading.runs.size() == 1);
  CHECK(find(reading.runs.front(), "loss")->values == std::vector<double>{2.5});
  CHECK(reading.report.damaged_files.size() == 1);
}

TEST_CASE("Lightning's ragged CSV is read") {
  const auto reading = test::read_text(ingest::MetricsCsvReader{}, "logs/version_0/metrics.csv",
                                       "epoch,step,train_loss,val_loss\r\n"
                                       "0,9,1.5,\r\n"
                                       "0,19,nan,\r\n"
                                       "0,19.0,,0.7\r\n"
                                       "1,,2,\r\n"
                                       "1,29,oops,0.6\r\n"
                                       "1,39,1.23"); // cut off: it may have been 1.2345
  REQUIRE(reading.runs.size() == 1);
  const ingest::LoggedRun& run = reading.runs.front();
  CHECK(run.scalars.size() == 2);
  CHECK(find(run, "train_loss")->steps == std::vector<std::int64_t>{9, 19});
  CHECK(std::isnan(find(run, "train_loss")->values[1]));
  CHECK(find(run, "val_loss")->steps == std::vector<std::int64_t>{19, 29});
  CHECK(find(run, "val_loss")->values == std::vector<double>{0.7, 0.6});
  CHECK(count_in(reading.report.skipped, "row of a metrics.csv without a step") == 1);
  CHECK(count_in(reading.report.skipped, "cell of a metrics.csv that is no number") == 1);
  CHECK(count_in(reading.report.skipped, "last line is cut off") == 1);
}

TEST_CASE("a CSV is known by its header") {
  const auto recognizes = [](const std::string& text) {
    test::TextSource source{text};
    ingest::BlockReader bytes{source};
    bytes.more();
    const std::vector<std::string> alone = {"a.csv"};
    return ingest::MetricsCsvReader{}.recognizes({"a.csv", alone, bytes});
  };
  CHECK(recognizes("step,loss\n1,2\n"));
  CHECK(!recognizes("step\n1\n"));
  CHECK(!recognizes("steps,loss\n1,2\n"));
  CHECK(!recognizes("step,1\n1,2\n"));
  CHECK(!recognizes("{\"step\": 1,\n"));
  CHECK(!recognizes("step,loss")); // no line ends
}

TEST_CASE("cells may be quoted") {
  ingest::trackers::CsvLine line;
  using Cells = std::vector<std::string_view>;
  CHECK(line.split("a, b ,,c") == Cells{"a", "b", "", "c"});
  CHECK(line.split(R"("a,b","say ""x""",2)") == Cells{"a,b", "say \"x\"", "2"});
  CHECK(line.split("\"open") == Cells{"open"});
  CHECK(line.split("") == Cells{""});
}

} // namespace test_trainer_log_readers
