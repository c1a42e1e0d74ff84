#include "ingest/join_runs.h"
#include "ingest/list_runs.h"
#include "ingest/trackers/wandb_file.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_join_runs {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using ingest::LoggedRun;
using job::ScalarSource;

LoggedRun run(ScalarSource source, const std::string& id, const std::string& name, double start,
              const std::vector<std::int64_t>& steps = {1, 2}) {
  LoggedRun out;
  out.source = source;
  out.folder = "f/" + id;
  out.id = id;
  out.name = name;
  out.described.name = name;
  out.described.start = test::at(start);
  job::ScalarSeries series;
  series.name = "loss";
  for (const std::int64_t step : steps) {
    series.steps.push_back(step);
    series.times.push_back(test::at(start + static_cast<double>(step)));
    series.values.push_back(start);
  }
  out.scalars.push_back(series);
  return out;
}

job::Job join(std::vector<LoggedRun> runs, const std::optional<std::string>& wanted = {}) {
  job::Job job;
  std::vector<std::vector<ingest::SeriesPart>> parts;
  join_runs(std::move(runs), wanted, job, parts);
  return job;
}

constexpr const char* kLeftOut =
    "run that is left out (--run NAME chooses one, --each reports on all)";

TEST_CASE("of a store's runs the latest is taken, or the one asked for") {
  const std::vector<LoggedRun> runs = {run(ScalarSource::mlflow, "a", "first", 0),
                                       run(ScalarSource::mlflow, "b", "second", 100)};
  const job::Job latest = join(runs);
  CHECK(latest.description.name == "second");
  REQUIRE(latest.scalars.size() == 1);
  CHECK(latest.reading.ignored.size() == 1);
  CHECK(test::count_in(latest.reading.skipped, kLeftOut) == 1);
  CHECK(join(runs, "first").description.name == "first");
  CHECK(join(runs, "first").reading.skipped.empty()); // it was asked for
  CHECK(join(runs, "a").description.name == "first");
  CHECK_THROWS_WITH(join(runs, "third"), ContainsSubstring("no such run; there are first, second"));
  CHECK_THROWS_AS(join({}, "third"), Error);
}

TEST_CASE("runs of two stores are one job where they ran at the same time") {
  const auto logged =
      join({run(ScalarSource::wandb, "w", "here", 100), run(ScalarSource::mlflow, "a", "before", 0),
            run(ScalarSource::mlflow, "b", "meanwhile", 101)});
  CHECK(logged.reading.ignored.size() == 2); // the run before, and the same loss again
  CHECK(logged.scalars.size() == 1);
  const auto apart =
      join({run(ScalarSource::wandb, "w", "here", 100), run(ScalarSource::mlflow, "a", "b", 0)});
  CHECK(apart.reading.ignored.size() == 1);
}

TEST_CASE("deleted runs are left out and listed") {
  std::vector<LoggedRun> runs = {run(ScalarSource::mlflow, "a", "first", 0),
                                 run(ScalarSource::mlflow, "b", "second", 100)};
  runs[1].deleted = true;
  const job::Job job = join(runs);
  CHECK(job.description.name == "first");
  REQUIRE(job.reading.ignored.size() == 1);
  CHECK(job.reading.ignored[0].reason == "a deleted run");
  CHECK(test::count_in(job.reading.skipped, kLeftOut) == 1);
  CHECK_THROWS_AS(join(runs, "second"), Error);
}

TEST_CASE("a run in several files is one, and what a later attempt logged again counts") {
  const job::Job job = join({run(ScalarSource::wandb, "w", "r", 100, {2, 3, 4}),
                             run(ScalarSource::wandb, "w", "r", 0, {1, 2, 3})});
  REQUIRE(job.scalars.size() == 1);
  CHECK(job.scalars[0].steps == std::vector<std::int64_t>{1, 2, 3, 4});
  CHECK(job.scalars[0].values == std::vector<double>{0, 100, 100, 100});
}

TEST_CASE("what an attempt logged beyond the last one is lost, and counted") {
  const job::Job job = join({run(ScalarSource::wandb, "w", "r", 0, {1, 2, 3, 4, 5}),
                             run(ScalarSource::wandb, "w", "r", 100, {2, 3})});
  CHECK(job.scalars[0].steps == std::vector<std::int64_t>{1, 2, 3});
  CHECK(test::count_in(job.reading.repaired, "logged value that a later attempt logged again") ==
        2);
  CHECK(test::count_in(job.reading.skipped,
                       "logged value of an attempt that got further than the last") == 2);
}

TEST_CASE("a single row at an earlier step replaces nothing") {
  const job::Job job = join({run(ScalarSource::tensorboard, "t", "", 0, {1, 2, 3}),
                             run(ScalarSource::tensorboard, "t", "", 100, {0})});
  CHECK(job.scalars[0].steps == std::vector<std::int64_t>{1, 2, 3});
  CHECK(test::count_in(job.reading.skipped,
                       "logged value that goes back to an earlier step alone") == 1);
}

TEST_CASE("values without steps are numbered") {
  const job::Job job = join({run(ScalarSource::mlflow, "m", "r", 0, {0, 0, 0, 0})});
  CHECK(job.scalars[0].steps == std::vector<std::int64_t>{0, 1, 2, 3});
  CHECK(job.scalars[0].values.size() == 4);
}

TEST_CASE("of trainer states those that are part of another are left out, others are runs") {
  const auto state = [](const std::string& folder, double value, std::int64_t steps) {
    LoggedRun out = run(ScalarSource::trainer_state, folder, "", value, {1, 2, 3});
    out.scalars[0].steps.resize(static_cast<std::size_t>(steps));
    out.scalars[0].times.resize(static_cast<std::size_t>(steps));
    out.scalars[0].values.resize(static_cast<std::size_t>(steps));
    out.totals.steps = steps;
    return out;
  };
  const job::Job one = join({state("a", 7, 2), state("b", 7, 3)});
  CHECK(one.scalars.size() == 1);
  CHECK(one.scalars[0].size() == 3);
  CHECK(one.reading.ignored.size() == 1);
  const job::Job two = join({state("a", 7, 2), state("b", 8, 3)});
  CHECK(two.scalars.size() == 2);
  CHECK(two.training.steps == 3);
  CHECK(two.reading.ignored.empty());
}

TEST_CASE("a scalar that two tools logged is shown once, and judged as both have it") {
  const job::Job job = join(
      {run(ScalarSource::tensorboard, "t", "", 0), run(ScalarSource::trainer_state, "s", "", 50)});
  REQUIRE(job.scalars.size() == 1);
  CHECK(job.scalars[0].source == ScalarSource::tensorboard);
  REQUIRE(job.repeated_scalars.size() == 1);
  CHECK(job.repeated_scalars[0].values[0] == 50);
}

TEST_CASE("of parameters in many files the latest value stands") {
  std::vector<LoggedRun> parts(3, run(ScalarSource::mlflow, "a", "r", 0));
  parts[0].described.hyperparameters = {{"lr", "1"}, {"depth", "2"}};
  parts[1].described.hyperparameters = {{"lr", "3"}};
  parts[2].described.hyperparameters = {{"a", "1"}, {"b", "1"}, {"c", "1"}, {"lr", "4"}};
  for (std::size_t part = 1; part < parts.size(); ++part)
    parts[part].scalars.clear();
  CHECK(join(parts).description.hyperparameters ==
        std::map<std::string, std::string>{
            {"a", "1"}, {"b", "1"}, {"c", "1"}, {"depth", "2"}, {"lr", "4"}});
}

TEST_CASE("parts of a run of MLflow's text store are joined by their folder") {
  LoggedRun meta = run(ScalarSource::mlflow, "a", "first", 0);
  meta.scalars.clear();
  LoggedRun metric = run(ScalarSource::mlflow, "a", "", 0);
  metric.id.clear();
  metric.described = {};
  const job::Job job = join({meta, metric});
  CHECK(job.description.name == "first");
  CHECK(job.scalars.size() == 1);
  CHECK(job.reading.ignored.empty());
}

TEST_CASE("the runs of a store are listed, each once") {
  const test::Folder folder;
  const auto write = [&](const std::string& id, std::int64_t start) {
    test::WandbFile file;
    file.run(id, "run " + id, "vm", start);
    file.history({{"_step", "1"}, {"loss", "1"}, {"_timestamp", std::to_string(start + 1)}});
    folder.write("wandb/run-" + id + "/run-" + id + ".wandb", file.bytes());
  };
  write("b", 1'700'000'000);
  write("a", 1'700'010'000);
  const auto runs = ingest::list_runs(folder.path(), {});
  REQUIRE(runs.size() == 2);
  CHECK(runs[0].id == "b");
  CHECK(runs[0].label == "run b");
  CHECK(runs[1].id == "a");
  ingest::ReadOptions options;
  options.run = "b";
  CHECK(ingest::read_job(folder.path(), options).description.name == "run b");
  CHECK(ingest::read_job(folder.path(), {}).description.name == "run a");
}

} // namespace test_join_runs
