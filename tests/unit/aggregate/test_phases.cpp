#include "aggregate/timeline.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

namespace test_phases {

using namespace debrief;
using test::at;

namespace {

std::vector<result::Phase> phases_of(const job::EventTable& events, double end = 100) {
  result::JobSummary job;
  job.span = TimeSpan{at(0), at(end)};
  return aggregate::phases(job, aggregate::step_series(events, aggregate::EventKinds{events}));
}

std::string text_of(const std::vector<result::Phase>& list) {
  std::string text;
  for (const result::Phase& phase : list)
    text += fmt::format("{}{} {:g}-{:g}", text.empty() ? "" : ", ", phase.name.text(),
                        in_seconds(phase.span.first - at(0)), in_seconds(phase.span.last - at(0)));
  return text;
}

} // namespace

TEST_CASE("phases are initialization, stretches of one mode, and finalization") {
  CHECK(text_of(phases_of(test::steps(
            {{"TRAIN", 10, 5}, {"TRAIN", 15.5, 5}, {"EVAL", 21, 4}, {"TRAIN", 25.5, 30}}))) ==
        "initialization 0-10, TRAIN 10-20.5, EVAL 21-25, TRAIN 25.5-55.5, finalization 55.5-100");
}

TEST_CASE("a pause longer than a second and 1 % of the loop is a hole") {
  CHECK(text_of(phases_of(test::steps({{"TRAIN", 0, 10}, {"TRAIN", 11, 10}, {"TRAIN", 22.1, 10}}),
                          32.1)) == "TRAIN 0-21, TRAIN 22.1-32.1");
  CHECK(text_of(phases_of(test::steps({{"TRAIN", 0, 500}, {"TRAIN", 509, 491}}), 1000)) ==
        "TRAIN 0-1000");
  CHECK(text_of(phases_of(test::steps({{"TRAIN", 0, 500}, {"TRAIN", 511, 489}}), 1000)) ==
        "TRAIN 0-500, TRAIN 511-1000");
}

TEST_CASE("where processes overlap in several modes, TRAIN wins over EVAL over others") {
  CHECK(text_of(phases_of(test::steps({{"EVAL", 15, 30, "algo-2-1"},
                                       {"TRAIN", 10, 10, "algo-1-1"},
                                       {"TRAIN", 30, 5, "algo-1-1"},
                                       {"PREDICT", 30, 40, "algo-3-1"}}),
                          70)) ==
        "initialization 0-10, TRAIN 10-20, EVAL 20-30, TRAIN 30-35, EVAL 35-45, PREDICT 45-70");
  CHECK(text_of(phases_of(test::steps({{"TRAIN", 0, 100}, {"EVAL", 20, 30, "algo-2-1"}}))) ==
        "TRAIN 0-100");
}

TEST_CASE("modes that alternate fast give a few hundred phases at most, in order and disjoint") {
  std::vector<test::Step> list;
  for (int i = 0; i < 5000; ++i)
    list.push_back({i % 2 == 0 ? "TRAIN" : "EVAL", 0.1 * i, i < 2 ? 0.02 : 0.09});
  list.push_back({"EVAL", 600, 100});
  const auto found = phases_of(test::steps(list), 800);
  CHECK(found.size() <= aggregate::kMaxPhases + 2);
  CHECK(found.size() > 2);
  for (std::size_t i = 1; i < found.size(); ++i)
    CHECK(found[i - 1].span.last <= found[i].span.first);
  CHECK(text_of({found.end() - 2, found.end()}) == "EVAL 600-700, finalization 700-800");
}

TEST_CASE("steps of unknown clock make no phase; a known start of the loop ends initialization") {
  const job::EventTable lost =
      test::events({{.phase = "Step:ModeKeys.TRAIN", .duration = 1, .clock_known = false}});
  CHECK(phases_of(lost).empty());
  result::JobSummary job;
  job.span = TimeSpan{at(0), at(10)};
  job.training_loop_start = at(4);
  CHECK(text_of(aggregate::phases(job, {})) == "initialization 0-4");
  CHECK(aggregate::phases({}, {}).empty());
}

TEST_CASE("profiled steps say nothing of when the loop began and ended") {
  const job::EventTable events = test::steps({{"PROFILED", 30, 5}, {"PROFILED", 60, 5}});
  CHECK(text_of(phases_of(events)) == "PROFILED 30-35, PROFILED 60-65");

  result::JobSummary job;
  job.span = TimeSpan{at(0), at(100)};
  job.training_loop_start = at(12); // SageMaker's rule knew
  CHECK(text_of(aggregate::phases(job,
                                  aggregate::step_series(events, aggregate::EventKinds{events}))) ==
        "initialization 0-12, PROFILED 30-35, PROFILED 60-65");
}

} // namespace test_phases
