#include "finding_support.h"

namespace test_step_ledger {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("time in steps is work, and the rest is lost to what was done instead") {
  std::vector<Event> list = paced_events(0.1, "DataLoaderIter");
  job::Job job;
  job.events = events(list);
  add_cores(job, 2, flat(521, 50)); // 60 s more than the loop
  const findings::Ledger ledger = ledger_of(job);
  REQUIRE(ledger.basis == findings::Basis::steps);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK(account.node == "algo-1");
  CHECK(account.paid == 260);
  CHECK_THAT(lost(account, findings::Cause::finish), WithinAbs(60, kClose));
  CHECK_THAT(lost(account, findings::Cause::input), WithinAbs(20, kClose));
  CHECK_THAT(account.busy, WithinAbs(180, kClose));
  CHECK_THAT(account.in_loop, WithinAbs(200, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
  CHECK(ledger.windows[findings::index_of(findings::Cause::input)].size() == 200);
}

TEST_CASE("waits before the first step are the start, and are counted once") {
  std::vector<Event> list;
  list.push_back({.phase = "DataLoaderIter", .start = 20, .duration = 80});
  add_steps(list, 100, 200);
  job::Job job;
  add_cores(job, 2, flat(kSamples, 50));
  job.events = events(list);
  const findings::Ledger ledger = ledger_of(job);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK_THAT(lost(account, findings::Cause::start), WithinAbs(100, kClose));
  CHECK_THAT(lost(account, findings::Cause::input), WithinAbs(0, kClose));
  CHECK_THAT(account.busy, WithinAbs(100, kClose));
  CHECK(ledger.windows[findings::index_of(findings::Cause::input)].empty());
  CHECK(ledger.windows[findings::index_of(findings::Cause::start)] ==
        std::vector<TimeSpan>{{at(0), at(100)}});
}

TEST_CASE("processes of a node are taken together, each for its share") {
  std::vector<Event> list;
  for (const std::string process : {"algo-1-1", "algo-1-2"})
    for (int i = 0; i < 100; ++i)
      list.push_back({.phase = "Step:ModeKeys.TRAIN",
                      .start = 1.0 * i,
                      .duration = process == "algo-1-1" && i < 99 ? 0.5 : 1,
                      .process = process});
  job::Job job;
  job.events = events(list);
  const findings::Ledger ledger = ledger_of(job);
  REQUIRE(ledger.accounts.size() == 1);
  CHECK_THAT(lost(ledger.accounts[0], findings::Cause::between), WithinAbs(99 * 0.5 / 2, kClose));
  CHECK_THAT(left_over(ledger.accounts[0]), WithinAbs(0, kClose));
}

TEST_CASE("a step at no known moment makes no ledger") {
  job::Job job;
  job.events = events({{.phase = "Step:ModeKeys.TRAIN", .duration = 1, .clock_known = false}});
  CHECK(ledger_of(job).basis == findings::Basis::none);
}

} // namespace test_step_ledger
