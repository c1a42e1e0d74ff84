#include "finding_support.h"

namespace test_copy_bound {

using namespace debrief;
using namespace debrief::test;

namespace {

/// One GPU, 10 s profiled: it computes for 2, and for `alone` s it copies and does nothing else;
/// the rest it idles, of which the host copies for `waits`.
result::Result copying(double alone, double waits = 0) {
  result::Result result = bare_result(0, 10);
  result::Traces& traces = result.traces;
  traces.files.emplace_back();
  traces.files.back().process = "rank 0";
  traces.files.back().step_source = result::StepSource::profiler_step;
  result::GpuActivity gpu;
  gpu.process = "rank 0";
  gpu.profiled_us = 10e6;
  gpu.kernel_us = 2e6;
  gpu.copy_us = alone * 1e6;
  gpu.copy_alone_us = alone * 1e6;
  gpu.busy_us = 2e6 + alone * 1e6;
  gpu.idle_us = 8e6 - alone * 1e6;
  gpu.copy_wait_us = waits * 1e6;
  traces.gpus.push_back(gpu);
  result::ProcessBreakdown process;
  process.process = "rank 0";
  process.us = 10e6;
  traces.processes.push_back(process);
  for (std::int64_t step = 0; step < 4; ++step) {
    traces.steps.emplace_back();
    traces.steps.back().number = step;
  }
  return result;
}

void add_copies(result::Result& result, const char* direction, const char* memory) {
  result.traces.copies.push_back({"rank 0", direction, memory, 20, 4e6, 32'000'000'000, 8.0});
}

} // namespace

TEST_CASE("a GPU that copies and does nothing else is not busy") {
  result::Result result = copying(4);
  add_copies(result, "Host to device", "Pageable to device");
  const result::Result said = diagnosed(result);
  const Finding finding = found(said, "copy_bound");
  CHECK_THAT(finding.score, WithinAbs(0.4, kClose));
  CHECK_THAT(said.waste.busy_percent, WithinAbs(20, kClose));
  CHECK_THAT(finding.why, ContainsSubstring("The GPU computed 20% of the profiled time."));
  CHECK_THAT(finding.why, ContainsSubstring("20 copies to the GPU from pageable memory took 4 s: "
                                            "32.0 GB at 8.0 GB/s."));
  CHECK_THAT(finding.next, ContainsSubstring("non_blocking=True"));
  CHECK_FALSE(finding.gain);
}

TEST_CASE("what the GPU idles while the host is in a copy belongs to it") {
  CHECK_THAT(found(diagnosed(copying(1, 3)), "copy_bound").score, WithinAbs(0.4, kClose));
  CHECK(find(diagnosed(copying(0.29)), "copy_bound") == nullptr);
  CHECK(find(diagnosed(copying(0.31)), "copy_bound") != nullptr);
}

TEST_CASE("a call whose copy was not recorded is named") {
  result::Result result = copying(0, 4);
  result.traces.blocking_copies = {{"rank 0", "hipMemcpyWithStream", "aten::copy_", "", 1, 4e6}};
  CHECK_THAT(
      found(diagnosed(result), "copy_bound").why,
      ContainsSubstring("The CPU was blocked for 4 s in hipMemcpyWithStream of aten::copy_."));
}

TEST_CASE("copies from the GPU have other remedies, and those within it are none") {
  result::Result result = copying(4);
  add_copies(result, "Device to host", "Device to pinned");
  result.traces.copies.push_back({"rank 0", "Device to device", "", 9000, 9e6, {}, {}});
  const Finding finding = found(diagnosed(result), "copy_bound");
  CHECK(finding.title == "Copies from the GPU keep it from computing");
  CHECK_THAT(finding.why, ContainsSubstring("20 copies from the GPU took 4 s"));
  CHECK_THAT(finding.next, ContainsSubstring("Copy less from the GPU"));
}

TEST_CASE("names of calls are text") {
  result::Result result = copying(0, 4);
  result.traces.blocking_copies = {{"rank 0", "cuda\x1b[31mMemcpy", "", "", 1, 4e6}};
  CHECK_THAT(found(diagnosed(result), "copy_bound").why, !ContainsSubstring("\x1b"));
}

} // namespace test_copy_bound
