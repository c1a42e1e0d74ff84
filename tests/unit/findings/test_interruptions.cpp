#include "finding_support.h"
#include "findings/interruptions.h"

namespace test_interruptions {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("interruptions have a usual length, a longest, and a period where they are regular") {
  std::vector<TimeSpan> spans;
  for (int i = 0; i < 5; ++i)
    spans.push_back({at(10 * i), at(10 * i + 1)});
  spans.back().last = at(43);
  const findings::Interruptions all = findings::interruptions(spans);
  CHECK(all.usual == 1);
  CHECK(all.longest == 3);
  CHECK(all.seconds == 7);
  CHECK(all.period == 10);
  spans.back() = {at(90), at(91)};
  CHECK_FALSE(findings::interruptions(spans).period);
  CHECK(findings::interruptions(std::vector<TimeSpan>{}).spans.empty());
}

TEST_CASE("time in which a checkpoint is saved is lost to saving, not to stalls or between steps") {
  const Finding finding = found(paced(0.22, "Checkpoint"), "save_bound");
  CHECK_THAT(finding.score, WithinAbs(0.22, 0.001));
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.title == "Saving checkpoints stops training every 1 s");
  CHECK_THAT(finding.why, ContainsSubstring("200 checkpoints took 22% of the job's GPU time: "
                                            "220 ms each (median), one every 1 s."));
  CHECK(finding.gain);
  CHECK_THAT(*finding.gain, WithinAbs(1 / (1 - 0.9 * 0.22), 0.01));
  CHECK_FALSE(finds(paced(0.22, "Checkpoint"), "between_steps"));
  CHECK_FALSE(finds(paced(0.02, "Checkpoint"), "save_bound"));
}

TEST_CASE("garbage collections and compilations have findings of their own") {
  CHECK_THAT(found(paced(0.12, "GarbageCollection"), "gc_bound").score, WithinAbs(0.12, 0.001));
  CHECK_THAT(found(paced(0.12, "GarbageCollection"), "gc_bound").next,
             ContainsSubstring("gc.freeze()"));
  const Finding compiling = found(paced(0.12, "Compile"), "compile_bound");
  CHECK_THAT(compiling.score, WithinAbs(0.12, 0.001));
  CHECK_THAT(compiling.why, ContainsSubstring("200 compilations took 12%"));
  CHECK_THAT(compiling.next, ContainsSubstring("mark_dynamic"));
  CHECK_FALSE(finds(paced(0.02, "GarbageCollection"), "gc_bound"));
  CHECK_FALSE(finds(paced(0.02, "Compile"), "compile_bound"));
}

TEST_CASE("what a trace knows of the loop: set-up, and code outside PyTorch") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 40));
  result::Result result = analyzed(job);
  result::GpuActivity& gpu = result.traces.gpus.emplace_back();
  gpu.profiled_us = 100;
  gpu.busy_us = 40;
  gpu.idle_us = gpu.host_wait_us = 60;
  gpu.setup_wait_us = 20;
  gpu.outside_wait_us = 35;
  result.traces.files.emplace_back();
  result.traces.steps.resize(4);
  result.traces.setup = {{"p", "cudnnFind", "aten::convolution", "", 4, 20}};
  const result::Result said = diagnosed(result, job);
  const Finding compiling = found(said, "compile_bound");
  CHECK_THAT(compiling.score, WithinAbs(0.20, 0.001));
  CHECK_THAT(compiling.next, ContainsSubstring("cudnn.benchmark = False"));
  const Finding python = found(said, "python_bound");
  CHECK_THAT(python.score, WithinAbs(0.35, 0.001));
  CHECK_THAT(python.next, !ContainsSubstring("batch"));
  CHECK(find(said, "underutilized") == nullptr);
}

} // namespace test_interruptions
