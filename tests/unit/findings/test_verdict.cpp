#include "finding_support.h"
#include "findings/diagnose.h"
#include "result/verdict.h"

namespace test_verdict {

using namespace debrief;
using namespace debrief::test;

namespace {

Finding of_kind(const std::string& kind, Severity severity, double score) {
  Finding finding;
  finding.kind = *result::from_text<result::FindingKind>(kind);
  finding.severity = severity;
  finding.score = score;
  finding.title = "title of " + kind;
  return finding;
}

/// With 200 s of one GPU at 95% behind it.
result::VerdictSummary verdict(const std::vector<Finding>& findings) {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  const result::Result result = analyzed(job);
  const std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  const findings::Loop loop = findings::find_loop(result, series);
  const findings::Ledger ledger = findings::make_ledger(result, series, loop, {});
  const auto found = findings::verdict_of({result, series, ledger, loop, {}}, findings);
  return *result::summary_of(found, findings);
}

std::vector<std::string> kinds_of(const job::Job& job) {
  std::vector<std::string> kinds;
  for (const Finding& finding : analyzed(job).findings)
    kinds.emplace_back(to_text(finding.kind));
  return kinds;
}

} // namespace

TEST_CASE("the verdict is the first finding that is at least a warning") {
  const result::VerdictSummary first = verdict({of_kind("input_bound", Severity::critical, 0.4),
                                                of_kind("slow_start", Severity::critical, 0.3)});
  CHECK(first.kind == result::FindingKind::input_bound);
  CHECK(first.severity == Severity::critical);
  CHECK(first.score == 0.4);
  CHECK(first.title == "title of input_bound");
  CHECK(verdict({of_kind("slow_start", Severity::info, 0.05),
                 of_kind("memory_pressure", Severity::warning, 0)})
            .kind == result::FindingKind::memory_pressure);
}

TEST_CASE("a job with nothing but small losses is healthy, and they are told") {
  const result::VerdictSummary healthy = verdict({of_kind("slow_start", Severity::info, 0.05)});
  CHECK_FALSE(healthy.kind.has_value());
  CHECK(healthy.severity == Severity::info);
  CHECK(healthy.score == 0);
  CHECK(healthy.why == "The GPU was busy 95% of the training loop. 5.0% of the job's GPU time is "
                       "lost: other idle 5.0%. None of it is large enough to chase.");
  CHECK_FALSE(verdict({of_kind("insufficient_data", Severity::info, 0)}).kind.has_value());
}

TEST_CASE("a healthy job that loses hardly anything says so") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 98));
  CHECK(test::verdict_of(analyzed(job)).why ==
        "The GPU was busy 98% of the training loop. No cause takes "
        "3.0% or more of the job's GPU time.");
}

TEST_CASE("a healthy verdict says what it does not rest on") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 98)); // 200 s of 250
  job.events = test::steps({{"TRAIN", 0, 125}, {"TRAIN", 125, 125}});
  const result::VerdictSummary verdict = test::verdict_of(analyzed(job));
  CHECK_FALSE(verdict.kind.has_value());
  CHECK(verdict.confidence == Confidence::low);
  CHECK_THAT(verdict.why, ContainsSubstring("20% of the job's GPU time was not measured."));
}

TEST_CASE("what a healthy job loses is a share of all its time, as in the bar of causes") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95)); // 200 s of 250
  job.events = test::steps({{"TRAIN", 0, 125}, {"TRAIN", 125, 125}});
  const result::Result result = analyzed(job);
  const result::VerdictSummary verdict = test::verdict_of(result);
  CHECK_FALSE(verdict.kind.has_value());
  CHECK_THAT(result.waste.lost_percent, WithinAbs(4, 0.01)); // 5% of four fifths
  CHECK_THAT(verdict.why,
             ContainsSubstring("4.0% of the job's GPU time is lost: other idle 4.0%."));
}

TEST_CASE("how sure a healthy verdict is depends on what was recorded") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 98));
  CHECK(test::verdict_of(analyzed(job)).confidence == Confidence::medium);
  std::vector<Event> list;
  add_steps(list, 0, 200);
  job.events = events(list);
  const result::VerdictSummary verdict = test::verdict_of(analyzed(job));
  CHECK_FALSE(verdict.kind.has_value());
  CHECK(verdict.confidence == Confidence::high);
}

TEST_CASE("healthy jobs without GPUs are worded by their steps or cores") {
  job::Job stepping;
  std::vector<Event> list;
  add_steps(list, 0, 100);
  stepping.events = events(list);
  CHECK_THAT(test::verdict_of(analyzed(stepping)).why,
             ContainsSubstring("The training loop takes 100% of the job's time"));
  job::Job cores;
  add_cores(cores, 4, flat(kSamples, 90));
  CHECK_THAT(test::verdict_of(analyzed(cores)).why,
             ContainsSubstring("CPU cores were busy 90% of the job's time"));
}

TEST_CASE("findings are by cost, and what costs nothing by severity") {
  // A fifth of each second is lost to waits, another GPU is never used, and memory is full.
  job::Job job = paced(0.2, "DataLoaderIter");
  add(job, gpu(1), flat(kSamples, 0));
  add(job, kHostMemory, flat(kSamples, 98));
  CHECK(kinds_of(job) == std::vector<std::string>{"idle_gpus", "input_bound", "memory_pressure"});
}

TEST_CASE("a risk is the verdict only where nothing costs enough") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  add(job, kHostMemory, flat(kSamples, 98));
  CHECK(test::verdict_name(analyzed(job)) == "memory_pressure");
  job::Job costly;
  add(costly, gpu(0), flat(kSamples, 60));
  add(costly, kHostMemory, flat(kSamples, 98));
  CHECK(test::verdict_name(analyzed(costly)) == "underutilized");
}

TEST_CASE("a symptom smaller than a cause is not named beside it") {
  // Waits of 0.25 s in each second, and 0.35 s that nothing explains: more than the cause.
  job::Job symptom = paced(0.25, "DataLoaderIter");
  symptom.metrics.clear();
  add(symptom, gpu(0), cycle(kSamples, {15, 65})); // 0.25 + 0.175, and 0.175
  CHECK(kinds_of(symptom).front() == "underutilized");
  // Waits of 0.4 s in each second, and 0.31 s that nothing explains.
  job::Job cause = paced(0.4, "DataLoaderIter");
  cause.metrics.clear();
  add(cause, gpu(0), cycle(kSamples, {10, 48})); // 0.4 + 0.05, and 0.26
  CHECK(kinds_of(cause) == std::vector<std::string>{"input_bound"});
}

TEST_CASE("a long start does not explain little work after it") {
  job::Job job; // half of it is the start; then 40% of the GPU
  add(job, gpu(0), flat(1401, 0) + flat(1400, 40));
  CHECK(finds(job, "slow_start"));
  CHECK(finds(job, "underutilized"));
}

} // namespace test_verdict
