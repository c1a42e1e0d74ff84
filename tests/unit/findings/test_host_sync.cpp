#include "finding_support.h"

namespace test_host_sync {

using namespace debrief;
using namespace debrief::test;

namespace {

/// One GPU, 10 s profiled of which it worked 5; for `seconds` it idled because the host waited.
result::Result blocked(double seconds, const std::string& op = "aten::copy_") {
  result::Result result = bare_result(0, 10);
  result::Traces& traces = result.traces;
  traces.files.emplace_back();
  traces.files.back().process = "rank 0";
  result::GpuActivity gpu;
  gpu.process = "rank 0";
  gpu.profiled_us = 10e6;
  gpu.busy_us = 5e6;
  gpu.idle_us = 5e6;
  gpu.host_sync_us = seconds * 1e6;
  traces.gpus.push_back(gpu);
  result::ProcessBreakdown process;
  process.process = "rank 0";
  process.us = 10e6;
  traces.processes.push_back(process);
  traces.syncs = {{"rank 0", "cudaMemcpyAsync", op, "## sparse_data_dist ##", 20, 7.5e6},
                  {"rank 0", "cudaStreamSynchronize", "", "", 1, 1e3}};
  for (std::int64_t step = 0; step < 4; ++step) {
    traces.steps.emplace_back();
    traces.steps.back().number = step;
  }
  return result;
}

} // namespace

TEST_CASE("a host that blocks costs what the GPU idles for it, and says where") {
  const Finding finding = found(diagnosed(blocked(4)), "host_sync");
  CHECK_THAT(finding.score, WithinAbs(0.4, kClose));
  CHECK(finding.severity == Severity::warning);
  CHECK(finding.confidence == Confidence::low);
  CHECK_THAT(
      finding.why,
      ContainsSubstring(
          "The GPU was busy 50% of the profiled time. 40% of the profiled GPU time was lost"));
  CHECK_THAT(finding.why, ContainsSubstring("aten::copy_ inside \"## sparse_data_dist ##\": 7.5 s "
                                            "in 20 calls, 75% of the profiled time."));
  CHECK_THAT(finding.next, ContainsSubstring("non_blocking=True"));
  CHECK_THAT(evidence(finding, "its calls"), WithinAbs(20, kClose));
  CHECK(find(diagnosed(blocked(0.29)), "host_sync") == nullptr);
}

TEST_CASE("a value that is read back is told from a copy") {
  CHECK_THAT(found(diagnosed(blocked(4, "aten::_local_scalar_dense")), "host_sync").next,
             ContainsSubstring(".item()"));
  CHECK_THAT(found(diagnosed(blocked(4, "")), "host_sync").next,
             ContainsSubstring("remove torch.cuda.synchronize()"));
}

TEST_CASE("names of operators and ranges are text") {
  result::Result result = blocked(4, "aten::co\x1b[31mpy");
  CHECK_THAT(found(diagnosed(result), "host_sync").why, !ContainsSubstring("\x1b"));
}

} // namespace test_host_sync
