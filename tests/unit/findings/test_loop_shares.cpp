#include "finding_support.h"
#include "findings/loop_shares.h"

namespace test_loop_shares {

using namespace debrief;
using namespace debrief::test;

namespace {

result::ProcessBreakdown loading(double us, double all) {
  result::ProcessBreakdown process;
  process.us = all;
  process.parts = {{"kernel", all - us, 0}, {"data loader", us, 0}};
  return process;
}

result::OverlapRow exposed(const std::string& process, double us, double profiled) {
  result::OverlapRow row;
  row.process = process;
  row.profiled_us = profiled;
  row.exposed_us = us;
  return row;
}

result::CollectiveRow collective(const std::string& process, const char* where) {
  result::CollectiveRow row;
  row.process = process;
  row.where = where;
  row.total_us = 5;
  return row;
}

result::GpuActivity busy(const std::string& process, double us) {
  result::GpuActivity gpu;
  gpu.process = process;
  gpu.busy_us = us;
  return gpu;
}

} // namespace

TEST_CASE("a job without traces and rule outputs has no shares") {
  CHECK(findings::loop_shares({}).none());
}

TEST_CASE("the share of loading is the mean over processes that profiled anything") {
  result::Result result;
  result.traces.processes = {loading(20, 100), loading(60, 100), loading(0, 0)};
  const findings::LoopShares shares = findings::loop_shares(result);
  CHECK_THAT(shares.input, WithinAbs(0.4, 1e-9));
  CHECK_FALSE(shares.none());
}

TEST_CASE("collectives on the host are as long as for the process that waits most") {
  result::Result result;
  result.traces.communication.overlap = {exposed("a", 1, 10), exposed("b", 4, 10),
                                         exposed("c", 9, 0)};
  const findings::LoopShares shares = findings::loop_shares(result);
  CHECK_THAT(shares.communication, WithinAbs(0.4, 1e-9));
  CHECK(shares.on_gpu_of_busy == 0);
}

TEST_CASE("collectives on GPUs are shares of the busy time, mean over processes") {
  result::Result result;
  result.traces.communication.collectives = {collective("a", "GPU"), collective("b", "GPU")};
  result.traces.communication.overlap = {exposed("a", 2, 10), exposed("b", 4, 10)};
  result.traces.gpus = {busy("a", 8), busy("b", 8)};
  const findings::LoopShares shares = findings::loop_shares(result);
  CHECK(shares.communication == 0);
  CHECK_THAT(shares.on_gpu_of_busy, WithinAbs(0.375, 1e-9)); // (2 / 8 + 4 / 8) / 2
}

TEST_CASE("shares never pass the whole") {
  result::Result result;
  result.traces.communication.overlap = {exposed("a", 50, 10)};
  CHECK(findings::loop_shares(result).communication == 1);
  result.traces.communication.collectives = {collective("a", "GPU")};
  result.traces.gpus = {busy("a", 8)};
  CHECK(findings::loop_shares(result).on_gpu_of_busy == 1);
}

TEST_CASE("SageMaker's figures of the whole job outrank a few profiled steps") {
  result::Result result = bare_result(0, 100);
  result.traces.processes = {loading(20, 100)};
  result.job.training_loop_start = at(0);
  result.data_loading.source = result::kFromRuleOutputs;
  result.data_loading.num_workers = 0;
  result::LoadTimes load;
  load.what = result::LoadKind::load;
  load.p50 = 0.5;
  result.data_loading.times.push_back(load);
  result::RuleRow steps;
  steps.rule = "StepOutlier";
  steps.datapoints = 100;
  result.rules.push_back(steps);
  CHECK_THAT(findings::loop_shares(result).input, WithinAbs(0.5, 1e-9)); // 100 x 0.5 s of 100 s
}

} // namespace test_loop_shares
