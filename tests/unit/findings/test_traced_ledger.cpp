#include "finding_support.h"

namespace test_traced_ledger {

using namespace debrief;
using namespace debrief::test;

namespace {

/// One GPU, 10 s profiled of which it worked 6.
result::Result traced() {
  result::Result result = bare_result(0, 10);
  result::GpuActivity gpu;
  gpu.process = "p";
  gpu.device = 3;
  gpu.profiled_us = 10e6;
  gpu.busy_us = 6e6;
  gpu.idle_us = 4e6;
  result.traces.gpus.push_back(gpu);
  result.traces.files.emplace_back();
  result.traces.files.back().process = "p";
  result.traces.files.back().node = "algo-7";
  return result;
}

} // namespace

TEST_CASE("profiled time is busy, in the data loader, or not explained") {
  result::Result result = traced();
  result::ProcessBreakdown process;
  process.process = "p";
  process.us = 10e6;
  process.parts = {{"data loader", 1.5e6, 15}};
  result.traces.processes.push_back(process);
  const findings::Ledger ledger = findings::traced_ledger(result);
  REQUIRE(ledger.basis == findings::Basis::traces);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK(account.node == "algo-7");
  CHECK(account.device == "gpu3");
  CHECK_THAT(account.busy, WithinAbs(6, kClose));
  CHECK_THAT(lost(account, findings::Cause::input), WithinAbs(1.5, kClose));
  CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(2.5, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("what of the job was not profiled was not measured") {
  result::Result result = traced();
  result.job.span = TimeSpan{at(0), at(100)};
  const findings::Ledger ledger = findings::traced_ledger(result);
  CHECK(ledger.accounts.at(0).paid == 100);
  CHECK_THAT(ledger.accounts[0].unmeasured, WithinAbs(90, kClose));
  CHECK_THAT(ledger.busy_share_in_loop(), WithinAbs(0.6, kClose));
}

TEST_CASE("more loading than idle time takes no more than there is") {
  result::Result result = traced();
  result::ProcessBreakdown process;
  process.process = "p";
  process.us = 10e6;
  process.parts = {{"data loader", 9e6, 90}};
  result.traces.processes.push_back(process);
  const findings::Account account = findings::traced_ledger(result).accounts.at(0);
  CHECK_THAT(lost(account, findings::Cause::input), WithinAbs(4, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("traces of no GPU, or of no time, make no ledger") {
  CHECK(findings::traced_ledger({}).basis == findings::Basis::none);
  result::Result result = traced();
  result.traces.gpus[0].profiled_us = 0;
  CHECK(findings::traced_ledger(result).basis == findings::Basis::none);
}

} // namespace test_traced_ledger
