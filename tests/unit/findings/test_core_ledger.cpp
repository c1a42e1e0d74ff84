#include "finding_support.h"

namespace test_core_ledger {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("what cores work is work, cores that wait are lost to storage") {
  job::Job job;
  add_cores(job, 4, dip(60, 5, 50));
  add_io_wait(job, 4, dip(60, 25, 0));
  const findings::Ledger ledger = ledger_of(job);
  REQUIRE(ledger.basis == findings::Basis::cores);
  CHECK_FALSE(ledger.of_gpus());
  const findings::Account& account = ledger.accounts.at(0);
  CHECK(account.node == "algo-1");
  CHECK(account.device.empty());
  CHECK_THAT(account.busy, WithinAbs(0.5 * 170, kClose));
  CHECK_THAT(lost(account, findings::Cause::io), WithinAbs(30, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
  CHECK(ledger.windows[findings::index_of(findings::Cause::io)] ==
        std::vector<TimeSpan>{{at(50), at(80)}});
}

TEST_CASE("one core of eight is an eighth of the job's time") {
  job::Job job;
  add_cores(job, 8, flat(kSamples, 12.5));
  const findings::Account account = ledger_of(job).accounts.at(0);
  CHECK_THAT(account.busy, WithinAbs(25, kClose));
  CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(175, kClose));
}

TEST_CASE("nodes are accounts of their own, and gaps were not measured") {
  job::Job job;
  add_cores(job, 2, flat(kSamples, 50), "algo-1");
  for (int core = 0; core < 2; ++core)
    add(job, "algo-2", cpu(core), flat(101, 50), 150);
  const findings::Ledger ledger = ledger_of(job);
  REQUIRE(ledger.accounts.size() == 2);
  CHECK_THAT(ledger.accounts[1].unmeasured, WithinAbs(150, kClose));
  CHECK_THAT(ledger.accounts[1].busy, WithinAbs(25, kClose));
  for (const findings::Account& account : ledger.accounts)
    CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

} // namespace test_core_ledger
