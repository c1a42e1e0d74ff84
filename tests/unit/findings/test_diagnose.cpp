// What holds of every diagnosis, on jobs that nobody would make: samples missing and out of step,
// gaps, steps of unknown clocks, events out of order, of no length and outside of the job.
#include "finding_support.h"
#include "result/verdict.h"

#include <random>
#include <set>

namespace test_diagnose {

using namespace debrief;
using namespace debrief::test;

namespace {

class Dice {
public:
  explicit Dice(unsigned seed)
      : random_(seed) {}

  /// 0 to `most`, both included.
  int upto(int most) { return static_cast<int>(random_() % static_cast<unsigned>(most + 1)); }

  double between(double low, double high) {
    return low + (high - low) * static_cast<double>(random_() % 10'000) / 9'999;
  }

  /// Once in `times`.
  bool once_in(int times) { return upto(times - 1) == 0; }

private:
  std::mt19937 random_; // its numbers are the same everywhere
};

/// A series that begins late, has gaps, and whose clock is off by a part of a sample.
void add_ragged(job::Job& job, Dice& dice, const std::string& node, const job::MetricName& name,
                int samples, double most) {
  std::vector<double> seconds;
  std::vector<double> values;
  double now = dice.once_in(3) ? dice.between(0, 20) : 0;
  const double apart = dice.once_in(2) ? 0.5 : dice.between(0.1, 7);
  double level = dice.between(0, most);
  for (int i = 0; i < samples; ++i) {
    if (dice.once_in(20)) level = dice.between(0, most);
    if (dice.once_in(40)) now += dice.between(0, 100);
    seconds.push_back(now);
    values.push_back(dice.once_in(6) ? 0 : level);
    now += apart;
  }
  if (!seconds.empty()) job.metrics.push_back(series(node, name, seconds, values));
}

Event ragged_event(Dice& dice, const std::string& node) {
  static const std::vector<std::string> kPhases = {
      "Step:ModeKeys.TRAIN",      "Step:ModeKeys.TRAIN", "Step:ModeKeys.EVAL", "DataLoaderIter",
      "DataLoaderIterInitialize", "DataLoaderWorker",    "NcclManager",        "Forward",
      "Step:ModeKeys.PROFILED"};
  Event event;
  event.phase = kPhases[static_cast<std::size_t>(dice.upto(8))];
  event.start = dice.between(-20, 150);
  event.duration = dice.once_in(5)    ? 0
                   : dice.once_in(10) ? dice.between(0, 80)
                                      : dice.between(0, 2);
  event.node = dice.once_in(10) ? "" : node;
  event.process = node + "-" + std::to_string(dice.upto(1));
  event.clock_known = !dice.once_in(8);
  if (event.phase.ends_with("PROFILED")) event.kind = job::TimelineKind::pytorch_profiler;
  if (event.phase == "DataLoaderIterInitialize") {
    event.details.num_workers = dice.once_in(4) ? INT64_MAX : dice.upto(8);
    event.details.pin_memory = dice.once_in(2);
  }
  return event;
}

job::Job ragged_job(Dice& dice) {
  job::Job job;
  std::vector<Event> list;
  const int nodes = dice.upto(3);
  for (int n = 0; n < nodes; ++n) {
    const std::string node = "algo-" + std::to_string(n);
    const int samples = dice.once_in(4) ? dice.upto(12) : 40 + dice.upto(160);
    for (int device = dice.upto(2); device > 0; --device) {
      add_ragged(job, dice, node, gpu(device), samples, dice.once_in(4) ? 0 : 110);
      if (dice.once_in(2)) add_ragged(job, dice, node, test::gpu_memory(device), samples, 100);
    }
    for (int core = dice.upto(2); core > 0; --core) {
      add_ragged(job, dice, node, cpu(core), samples, 100);
      add_ragged(job, dice, node, io_wait(core), samples, 100);
    }
    if (dice.once_in(2)) add_ragged(job, dice, node, kHostMemory, samples, 100);
    if (dice.once_in(2)) {
      add_ragged(job, dice, node, kReceive, samples, 2e8);
      add_ragged(job, dice, node, kTransmit, samples, 2e8);
    }
    for (int count = dice.once_in(2) ? dice.upto(60) : 0; count > 0; --count)
      list.push_back(ragged_event(dice, node));
  }
  std::sort(job.metrics.begin(), job.metrics.end(), job::series_less);
  job.events = events(list);
  return job;
}

void lose_samples(Dice& dice, std::vector<aggregate::NodeSeries>& series) {
  for (aggregate::NodeSeries& node : series)
    for (aggregate::NodeMetricSeries& metric : node.metrics)
      for (std::vector<float>& values : metric.values)
        for (float& value : values)
          if (dice.once_in(5)) value = NAN;
}

/// Figures of traces, some of them impossible.
void add_traces(Dice& dice, result::Traces& traces) {
  for (int rank = dice.upto(2); rank > 0; --rank) {
    const std::string process = "algo-0-" + std::to_string(rank);
    traces.files.emplace_back();
    traces.files.back().process = process;
    result::GpuActivity gpu;
    gpu.process = process;
    gpu.device = rank;
    gpu.profiled_us = dice.once_in(5) ? 0 : dice.between(0, 1e8);
    gpu.busy_us = dice.between(0, gpu.profiled_us);
    gpu.idle_us = gpu.profiled_us - gpu.busy_us;
    traces.gpus.push_back(gpu);
    result::OverlapRow overlap;
    overlap.process = process;
    overlap.profiled_us = gpu.profiled_us;
    overlap.exposed_us = dice.between(0, 1e8);
    traces.communication.overlap.push_back(overlap);
    result::CollectiveRow collective;
    collective.process = process;
    collective.where = dice.once_in(2) ? "GPU" : "CPU";
    collective.total_us = dice.between(0, 1e8);
    traces.communication.collectives.push_back(collective);
    traces.steps.emplace_back();
    traces.steps.back().number = rank;
  }
}

void check_accounts(const result::Result& result, const job::Job& job,
                    const std::vector<aggregate::NodeSeries>& series) {
  const findings::Ledger ledger = ledger_of(result, series, times_of(job));
  for (const findings::Account& account : ledger.accounts) {
    CHECK_THAT(left_over(account), WithinAbs(0, 1e-6 * (1 + account.paid)));
    CHECK(account.busy >= -1e-9);
    CHECK(account.unmeasured >= -1e-6);
    for (const double seconds : account.lost)
      CHECK(seconds >= -1e-9);
    CHECK(account.busy_in_loop <= account.in_loop + 1e-6);
  }
}

void check_findings(const result::Result& result) {
  double scores = 0;
  std::set<std::string> kinds;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Finding& finding = result.findings[i];
    INFO(to_text(finding.kind));
    CHECK(kinds.insert(to_text(finding.kind)).second);
    CHECK(finding.kind != result::FindingKind::unknown);
    CHECK(finding.score >= 0);
    CHECK(finding.score <= 1);
    if (i > 0) CHECK(finding.score <= result.findings[i - 1].score);
    scores += finding.score;
    for (const std::string* text : {&finding.title, &finding.why, &finding.next}) {
      CHECK_FALSE(text->empty());
      CHECK_THAT(*text, !ContainsSubstring("nan") && !ContainsSubstring("inf%"));
    }
    for (const result::Evidence& figure : finding.evidence)
      CHECK(std::isfinite(figure.value));
    for (const result::Place& place : finding.where) {
      CHECK(place.share >= 0);
      CHECK(place.share <= 1 + 1e-9);
    }
    CHECK(finding.windows.size() <= result::kMaxWindows);
    CHECK(finding.window_count >= std::ssize(finding.windows));
    for (std::size_t w = 0; w < finding.windows.size(); ++w) {
      const TimeSpan& window = finding.windows[w];
      CHECK(window.first <= window.last);
      CHECK(result.job.span.value().contains(window.first));
      CHECK(result.job.span.value().contains(window.last));
      if (w > 0) CHECK(finding.windows[w - 1].last <= window.first);
    }
  }
  CHECK(scores <= 1 + 1e-9);
}

void check_verdict(const result::Result& result) {
  const auto act =
      std::find_if(result.findings.begin(), result.findings.end(),
                   [](const Finding& finding) { return finding.severity != Severity::info; });
  if (act != result.findings.end()) {
    CHECK(test::verdict_of(result).kind == act->kind);
    CHECK(test::verdict_of(result).score == act->score);
  } else {
    CHECK((test::verdict_name(result) == "healthy" ||
           test::verdict_name(result) == "insufficient_data"));
    CHECK(test::verdict_of(result).severity == Severity::info);
  }
  if (test::verdict_name(result) == "insufficient_data") CHECK(find(result, "insufficient_data"));
  CHECK_THAT(test::verdict_of(result).why, !ContainsSubstring("nan"));
}

void check_waste(const result::Result& result) {
  const result::Waste& waste = result.waste;
  if (!waste.paid) {
    CHECK(waste.parts.empty());
    return;
  }
  double sum = waste.busy + waste.other + waste.set_aside + waste.unmeasured;
  for (const result::WastePart& part : waste.parts) {
    CHECK(part.hours >= 0);
    sum += part.hours;
  }
  CHECK(waste.other >= 0);
  CHECK_THAT(sum, WithinAbs(*waste.paid, 1e-6 * (1 + *waste.paid)));
}

} // namespace

TEST_CASE("whatever a job is made of, the parts of its diagnosis fit together") {
  std::set<std::string> seen;
  for (unsigned seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    Dice dice{seed};
    const job::Job job = ragged_job(dice);
    result::Result result = analyzed(job);
    std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
    if (dice.once_in(2)) lose_samples(dice, series);
    if (dice.once_in(3)) add_traces(dice, result.traces);
    result = diagnosed(std::move(result), job, series);
    check_accounts(result, job, series);
    check_findings(result);
    check_verdict(result);
    check_waste(result);
    seen.insert(test::verdict_name(result));
    for (const Finding& finding : result.findings)
      seen.insert(to_text(finding.kind));
  }
  CHECK(seen.size() >= 10); // else the jobs are too much alike to show anything
}

TEST_CASE("a job that is diagnosed twice says the same") {
  Dice dice{7};
  const job::Job job = ragged_job(dice);
  const result::Result first = analyzed(job);
  const result::Result second = diagnosed(first, job);
  REQUIRE(first.findings.size() == second.findings.size());
  for (std::size_t i = 0; i < first.findings.size(); ++i) {
    CHECK(first.findings[i].why == second.findings[i].why);
    CHECK(first.findings[i].score == second.findings[i].score);
  }
  CHECK(test::verdict_name(first) == test::verdict_name(second));
}

} // namespace test_diagnose
