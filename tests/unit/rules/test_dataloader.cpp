#include "rules/rule_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_dataloader {

using namespace debrief;
using namespace debrief::test;
using result::RuleStatus;

namespace {

/// As many workers as this load from at(0) on, on a node with ten cores.
job::Job job_with(int workers, double seconds = 30.5) {
  job::Job job;
  for (int core = 0; core < 10; ++core)
    add(job, cpu(core), flat(static_cast<std::size_t>(2 * seconds) + 1, 50));
  std::vector<Recorded> list;
  for (int worker = 0; worker < workers; ++worker)
    list.push_back({.phase = "DataLoaderWorker", .duration = seconds, .pid = 100 + worker});
  job.events = recorded(list);
  return job;
}

RuleStatus status(const job::Job& job, const Parameters& parameters = {}) {
  return outcome(job, "Dataloader", parameters).status;
}

} // namespace

TEST_CASE("loading processes are too few below a share of the cores, too many above another") {
  CHECK(status(job_with(7)) == RuleStatus::no_issue);
  CHECK(status(job_with(20)) == RuleStatus::no_issue);
  const auto few = outcome(job_with(6), "Dataloader");
  CHECK(few.status == RuleStatus::issue_found);
  CHECK(few.triggered == 1);
  CHECK(few.violations == 1);
  CHECK(few.datapoints == 6); // events of loading
  CHECK(few.incidents.at(0).what == "too few");
  const auto many = outcome(job_with(21), "Dataloader");
  CHECK(many.status == RuleStatus::issue_found);
  CHECK(many.incidents.at(0).what == "too many");
}

TEST_CASE("the shares of the cores that loading may take are parameters") {
  CHECK(status(job_with(6), {{"min_threshold", "60"}}) == RuleStatus::no_issue);
  CHECK(status(job_with(7), {{"min_threshold", "71"}}) == RuleStatus::issue_found);
  CHECK(status(job_with(21), {{"max_threshold", "210"}}) == RuleStatus::no_issue);
  CHECK(status(job_with(20), {{"max_threshold", "199"}}) == RuleStatus::issue_found);
}

TEST_CASE("loading is judged after more than ten seconds of it") {
  const auto few = outcome(job_with(1, 9.5), "Dataloader"); // touches ten seconds
  CHECK(few.status == RuleStatus::not_evaluated);
  CHECK(few.reason == "needs more than 10 seconds of data loading (found 10)");
  CHECK(few.triggered == 0);
  CHECK(few.datapoints == 1);
  CHECK(status(job_with(1, 10.5)) == RuleStatus::issue_found);
}

TEST_CASE("every window of loading counts, and the rule triggers once") {
  const auto row = outcome(job_with(2, 119.5), "Dataloader"); // minutes begin at(40) and at(100)
  CHECK(row.violations == 3);
  CHECK(row.triggered == 1);
  REQUIRE(row.incidents.size() == 1);
  CHECK(row.incidents[0].node.empty());
  CHECK(row.incidents[0].span == TimeSpan{at(0), at(119.5)});
  CHECK(outcome(job_with(2, 119.5), "Dataloader", {{"scan_interval_us", "30000000"}}).violations ==
        4); // the first has ten seconds of it
}

TEST_CASE("the number of loading processes is the median over the seconds, rounded down") {
  job::Job job = job_with(0);
  job.events = recorded({{.phase = "DataLoaderWorker", .start = 0, .duration = 19.5, .pid = 1},
                         {.phase = "DataLoaderWorker", .start = 10, .duration = 9.5, .pid = 2},
                         {.phase = "DataLoaderWorker", .start = 10, .duration = 9.5, .pid = 3},
                         {.phase = "DataLoaderWorker", .start = 10, .duration = 9.5, .pid = 4}});
  // Ten seconds with one, ten with four: 2.5.
  CHECK(outcome(job, "Dataloader").details["dataloaders"] == 2);
}

TEST_CASE("a process that fetches batches itself is a loading process") {
  job::Job job = job_with(0);
  job.events = recorded({{.phase = "DataLoaderIter", .duration = 30, .pid = 27}});
  const auto row = outcome(job, "Dataloader");
  CHECK(row.status == RuleStatus::issue_found);
  CHECK(row.details["dataloaders"] == 1);
}

TEST_CASE("loading is not judged without its events, their times or the number of cores") {
  const auto none = outcome(job_with(0), "Dataloader");
  CHECK(none.status == RuleStatus::not_evaluated);
  CHECK(none.reason == "no data-loader event was recorded");
  CHECK(none.details == nlohmann::ordered_json::object());

  job::Job no_cores = job_with(3);
  no_cores.metrics.clear();
  CHECK(outcome(no_cores, "Dataloader").reason == "the number of cores is unknown");

  job::Job no_clock = job_with(0);
  no_clock.events =
      recorded({{.phase = "DataLoaderIter", .duration = 30, .pid = 27, .clock_known = false}});
  const auto row = outcome(no_clock, "Dataloader");
  CHECK(row.status == RuleStatus::not_evaluated);
  CHECK(row.reason == "the times of data loading are unknown");
  CHECK(row.datapoints == 1);
}

TEST_CASE("details of loading have SageMaker's shape") {
  job::Job job = job_with(0);
  job::EventDetails set_up;
  set_up.num_workers = 2;
  set_up.pin_memory = false;
  job.events = recorded({{.phase = "DataLoaderIterInitialize", .duration = 1, .details = set_up},
                         {.phase = "DataLoaderWorker", .start = 1, .duration = 12, .pid = 1},
                         {.phase = "DataLoaderWorker", .start = 1, .duration = 14, .pid = 2}});
  const auto details = outcome(job, "Dataloader").details;
  CHECK(keys(details) == std::vector<std::string>{"pin_memory", "num_workers", "cores",
                                                  "dataloaders", "dataloading_time"});
  CHECK(details["pin_memory"] == false);
  CHECK(details["num_workers"] == 2);
  CHECK(details["cores"] == 10);
  CHECK(details["dataloaders"] == 2);
  const auto& times = details["dataloading_time"];
  CHECK(keys(times) == std::vector<std::string>{"p25", "p50", "p95", "probs", "binedges"});
  CHECK(times["p50"] == 13);
  CHECK(times["probs"].size() == 100);
  CHECK(times["binedges"].size() == 101);
}

} // namespace test_dataloader
