#include "finding_support.h"

namespace test_communication_bound {

using namespace debrief;
using namespace debrief::test;

namespace {

/// Two nodes whose GPUs do nothing at 28 samples, in which they send and receive these bytes per
/// second; 1 MB/s at other times.
job::Job exchanging(double receive, double transmit, int nodes = 2) {
  job::Job job;
  for (int node = 1; node <= nodes; ++node) {
    const std::string name = "algo-" + std::to_string(node);
    add(job, name, gpu(0), dip(28));
    add(job, name, kReceive, dip(28, receive, 1e6));
    add(job, name, kTransmit, dip(28, transmit, 1e6));
  }
  return job;
}

/// Two ranks, 10 s profiled each, of which collectives on the host take `exposed` seconds that
/// nothing hides, and one second that compute hides; GPUs work half of the time.
result::Result traced(double exposed, std::size_t steps = 4) {
  result::Result result = bare_result(0, 10);
  result::Traces& traces = result.traces;
  for (const std::int64_t rank : {0, 1}) {
    const std::string process = "rank" + std::to_string(rank);
    traces.files.emplace_back();
    traces.files.back().process = process;
    traces.files.back().node = "algo-1";
    result::GpuActivity gpu;
    gpu.process = process;
    gpu.device = rank;
    gpu.profiled_us = 10e6;
    gpu.busy_us = 5e6;
    gpu.idle_us = 5e6;
    traces.gpus.push_back(gpu);
    result::OverlapRow overlap;
    overlap.process = process;
    overlap.rank = rank;
    overlap.profiled_us = 10e6;
    overlap.exposed_us = exposed * 1e6;
    overlap.hidden_us = 1e6;
    overlap.communication_us = overlap.exposed_us + overlap.hidden_us;
    traces.communication.overlap.push_back(overlap);
    result::CollectiveRow row;
    row.process = process;
    row.name = "all_reduce";
    row.where = "CPU";
    row.bytes = 25'000'000;
    row.calls = 1;
    row.total_us = overlap.communication_us;
    traces.communication.collectives.push_back(row);
  }
  for (std::size_t step = 0; step < steps; ++step) {
    traces.steps.emplace_back();
    traces.steps.back().number = static_cast<std::int64_t>(step);
  }
  return result;
}

} // namespace

TEST_CASE("collectives of 3.2 % of the loop are communication_bound, of 2.8 % they are not") {
  const Finding finding = found(paced(0.032, "NcclManager"), "communication_bound");
  CHECK_THAT(finding.score, WithinAbs(0.032, kClose));
  CHECK(finding.severity == Severity::info);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.windows == std::vector<TimeSpan>{{at(0), at(200)}});
  REQUIRE(finding.where.size() == 1);
  CHECK(finding.where[0].device == "gpu0");
  CHECK_FALSE(finds(paced(0.028, "NcclManager"), "communication_bound"));
}

TEST_CASE("communication_bound is a warning from a tenth on and critical from a fifth on") {
  CHECK(found(paced(0.102, "NcclManager"), "communication_bound").severity == Severity::warning);
  CHECK(found(paced(0.202, "NcclManager"), "communication_bound").severity == Severity::critical);
}

TEST_CASE("without events, traffic that goes both ways while GPUs idle is communication") {
  const Finding finding = found(exchanging(100e6, 60e6), "communication_bound");
  CHECK_THAT(finding.score, WithinAbs(0.07, kClose)); // 14 s of 200 s
  CHECK(finding.confidence == Confidence::low);
  CHECK_THAT(finding.why, ContainsSubstring("sent about as much as they received"));
  CHECK_THAT(finding.next, ContainsSubstring("Profile a few steps of every rank"));
  CHECK(finding.windows == std::vector<TimeSpan>{{at(50), at(64)}});
  CHECK(finding.where.size() == 2);
}

TEST_CASE("traffic that goes one way, is little, or has nobody to go to is none") {
  CHECK_FALSE(finds(exchanging(100e6, 49e6), "communication_bound"));
  CHECK(finds(exchanging(10.1e6, 10.1e6), "communication_bound"));
  CHECK_FALSE(finds(exchanging(9.9e6, 9.9e6), "communication_bound"));
  CHECK_FALSE(finds(exchanging(100e6, 100e6, 1), "communication_bound"));
}

TEST_CASE("traffic of which one way was not sampled at the moment tells nothing") {
  job::Job job;
  for (const std::string name : {"algo-1", "algo-2"}) {
    add(job, name, gpu(0), dip(28));
    add(job, name, kReceive, flat(kSamples, 100e6));
    add(job, name, kTransmit, flat(kSamples, 100e6), 0.25);
  }
  CHECK_FALSE(finds(job, "communication_bound"));
}

TEST_CASE("profiled collectives that nothing hides are communication_bound") {
  const Finding finding = found(diagnosed(traced(3)), "communication_bound");
  CHECK_THAT(finding.score, WithinAbs(0.3, kClose));
  CHECK(finding.severity == Severity::warning); // four steps are not the job
  CHECK(finding.confidence == Confidence::low);
  CHECK(finding.title == "Communication does not overlap with compute");
  CHECK_THAT(finding.why, ContainsSubstring("30% of the profiled GPU time is exposed "
                                            "communication"));
  CHECK_THAT(finding.why, ContainsSubstring("25% of collective time overlaps with compute."));
  CHECK_THAT(finding.next, ContainsSubstring("Use the nccl backend instead of gloo"));
  CHECK_THAT(finding.next, ContainsSubstring("(largest now: all_reduce, 25.0 MB, 1 call)"));
  CHECK(find(diagnosed(traced(0.29)), "communication_bound") == nullptr);
}

TEST_CASE("twenty profiled steps are enough to be critical") {
  const Finding finding = found(diagnosed(traced(3, 20)), "communication_bound");
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.confidence == Confidence::medium);
}

TEST_CASE("where collectives mostly wait, the advice is about ranks and not about bytes") {
  result::Result result = traced(3);
  result::Communication& communication = result.traces.communication;
  communication.wait_percent = 80;
  for (const std::int64_t rank : {0, 1, 2}) {
    result::StragglerRow row;
    row.process = "rank " + std::to_string(rank);
    row.rank = rank;
    row.collectives = 9;
    row.last = 3;
    row.lateness_us = 100;
    communication.stragglers.push_back(row);
  }
  const Finding together = found(diagnosed(result), "communication_bound");
  CHECK(together.title == "Ranks wait for each other in collectives");
  CHECK_THAT(together.why, ContainsSubstring("80% of collective time is waiting"));
  CHECK_THAT(together.next, ContainsSubstring("Even out the work of the ranks"));
  CHECK_THAT(together.next, !ContainsSubstring("gradient accumulation"));
  communication.stragglers[2].last = 5;
  const Finding late = found(diagnosed(result), "communication_bound");
  CHECK(late.title == "Rank 2 is a straggler");
  CHECK_THAT(late.next, ContainsSubstring("First find out why rank 2 is slow"));
  communication.wait_percent = 40;
  const Finding bytes = found(diagnosed(result), "communication_bound");
  CHECK(bytes.title == "Communication does not overlap with compute");
  // Three ranks on two GPUs: nccl would refuse.
  CHECK_THAT(bytes.next, ContainsSubstring("Give each rank its own GPU and use the nccl backend"));
}

TEST_CASE("a rank that others wait for is named, by its process where it has no number") {
  result::Result result = traced(3);
  result::StragglerRow late;
  late.process = "rank\n1";
  late.rank = 1;
  late.lateness_us = 200e3;
  result::StragglerRow early;
  early.process = "rank0";
  early.rank = 0;
  early.waited_us = 800e3;
  result.traces.communication.stragglers = {late, early};
  result.traces.communication.skew_us = 100e3;
  result::ProcessBreakdown process;
  process.steps = 4;
  result.traces.processes.push_back(process);
  const Finding finding = found(diagnosed(result), "communication_bound");
  CHECK(finding.title == "Rank 1 is a straggler, and gloo is slow");
  // 0.8 s over four steps.
  CHECK_THAT(
      finding.why,
      ContainsSubstring("The other rank waits up to 200 ms of each step for rank 1 (rank\\n1)"));
  CHECK_THAT(finding.next, ContainsSubstring("First find out why rank 1 is slow"));
  CHECK_THAT(evidence(finding, "mean skew of collectives"), WithinAbs(0.1, kClose));
  CHECK(finding.where.back().process == "rank\n1");

  result.traces.communication.stragglers[0].rank.reset();
  CHECK(found(diagnosed(result), "communication_bound").title ==
        "rank\\n1 is a straggler, and gloo is slow");
  // Hardly later than the other.
  result.traces.communication.stragglers[1].lateness_us = 150e3;
  CHECK(found(diagnosed(result), "communication_bound").title ==
        "Communication does not overlap with compute");
}

TEST_CASE("a job without collectives has no communication_bound") {
  job::Job job;
  add(job, gpu(0), dip(100));
  CHECK_FALSE(finds(job, "communication_bound"));
  result::Result result = traced(3);
  result.traces.communication = {};
  CHECK(find(diagnosed(std::move(result)), "communication_bound") == nullptr);
}

} // namespace test_communication_bound
