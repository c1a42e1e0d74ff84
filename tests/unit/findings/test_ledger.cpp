#include "finding_support.h"

namespace test_ledger {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("a ledger sums its accounts") {
  findings::Ledger ledger;
  CHECK(ledger.paid() == 0);
  CHECK(ledger.share(findings::Cause::input) == 0);
  CHECK(ledger.busy_share_in_loop() == 0);
  findings::Account first;
  first.paid = 100;
  first.busy = 40;
  first.unmeasured = 10;
  first.in_loop = 80;
  first.busy_in_loop = 40;
  first.lost[findings::index_of(findings::Cause::input)] = 50;
  findings::Account idle;
  idle.paid = 100;
  idle.in_loop = 80;
  idle.lost[findings::index_of(findings::Cause::idle_gpu)] = 100;
  ledger.accounts = {first, idle};
  CHECK(ledger.paid() == 200);
  CHECK(ledger.busy() == 40);
  CHECK(ledger.unmeasured() == 10);
  CHECK(ledger.lost(findings::Cause::input) == 50);
  CHECK(ledger.judged() == 190);
  CHECK(ledger.share(findings::Cause::input) == 50.0 / 190);
  CHECK(ledger.busy_share_in_loop() == 0.5); // of the one that was used
}

TEST_CASE("what is set aside is neither judged nor lost") {
  findings::Ledger ledger;
  findings::Account account;
  account.paid = 100;
  account.busy = 40;
  account.lost[findings::index_of(findings::Cause::start)] = 15;
  account.lost[findings::index_of(findings::Cause::finish)] = 5;
  account.lost[findings::index_of(findings::Cause::input)] = 40;
  ledger.accounts = {account};
  CHECK(ledger.set_aside() == 0);
  CHECK(ledger.share(findings::Cause::input) == 0.4);
  ledger.phases_aside = true;
  CHECK(ledger.set_aside() == 20);
  CHECK(ledger.judged() == 80);
  CHECK(ledger.lost(findings::Cause::start) == 0);
  CHECK(ledger.share(findings::Cause::input) == 0.5);
  CHECK(findings::lost_share(ledger) == 0.5);
}

TEST_CASE("what a GPU was paid for is busy, lost or not measured") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 60));
  const findings::Ledger ledger = ledger_of(job);
  REQUIRE(ledger.basis == findings::Basis::samples);
  REQUIRE(ledger.accounts.size() == 1);
  const findings::Account& account = ledger.accounts[0];
  CHECK(account.paid == 200);
  CHECK_THAT(account.busy, WithinAbs(120, kClose));
  CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(80, kClose));
  CHECK_THAT(account.unmeasured, WithinAbs(0, kClose));
  CHECK_THAT(account.in_loop, WithinAbs(200, kClose));
  CHECK(ledger.samples == 401);
}

TEST_CASE("a gap between samples was not measured") {
  std::vector<double> seconds;
  for (int i = 0; i <= 100; ++i)
    seconds.push_back(i * 0.5);
  for (int i = 0; i <= 100; ++i)
    seconds.push_back(150 + i * 0.5);
  job::Job job;
  job.metrics.push_back(series("algo-1", gpu(0), seconds, flat(202, 80)));
  const findings::Ledger ledger = ledger_of(job);
  const findings::Account& account = ledger.accounts.at(0);
  // 50 s, the usual half second before the first sample after the gap, and 50 s more.
  CHECK(account.paid == 200);
  CHECK_THAT(account.unmeasured, WithinAbs(99.5, kClose));
  CHECK_THAT(account.busy, WithinAbs(0.8 * 100.5, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("a sample that a GPU missed was not measured, and is not zero") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 80));
  std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  auto& values = series.at(0).metrics.at(0).values.at(0);
  for (std::size_t i = 101; i <= 140; ++i)
    values[i] = NAN;
  const findings::Ledger ledger = ledger_of(analyzed(job), series);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK_THAT(account.unmeasured, WithinAbs(20, kClose));
  CHECK_THAT(account.busy, WithinAbs(0.8 * 180, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("nodes that were sampled for a part of the job are paid for all of it") {
  job::Job job;
  add(job, "algo-1", gpu(0), flat(kSamples, 90));
  add(job, "algo-2", gpu(0), flat(201, 90), 50);
  const findings::Ledger ledger = ledger_of(job);
  REQUIRE(ledger.accounts.size() == 2);
  CHECK(ledger.accounts[1].node == "algo-2");
  CHECK(ledger.accounts[1].paid == 200);
  CHECK_THAT(ledger.accounts[1].unmeasured, WithinAbs(100, kClose));
  for (const findings::Account& account : ledger.accounts)
    CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("what was paid for before, within and after the loop goes to three causes") {
  job::Job job;
  add(job, gpu(0), flat(101, 0) + flat(200, 40) + flat(100, 0));
  std::vector<Event> list;
  add_steps(list, 50, 150);
  job.events = events(list);
  const findings::Ledger ledger = ledger_of(job);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK_THAT(lost(account, findings::Cause::start), WithinAbs(50, kClose));
  CHECK_THAT(lost(account, findings::Cause::finish), WithinAbs(50, kClose));
  CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(60, kClose));
  CHECK_THAT(account.busy, WithinAbs(40, kClose));
  CHECK_THAT(ledger.busy_share_in_loop(), WithinAbs(0.4, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("the best basis there is is taken") {
  job::Job sampled = paced(0.1, "");
  CHECK(ledger_of(sampled).basis == findings::Basis::samples);
  sampled.metrics.clear();
  CHECK(ledger_of(sampled).basis == findings::Basis::steps);
  job::Job cores;
  add_cores(cores, 2, flat(kSamples, 50));
  CHECK(ledger_of(cores).basis == findings::Basis::cores);
  CHECK(ledger_of(job::Job{}).basis == findings::Basis::none);
  CHECK(ledger_of(job::Job{}).accounts.empty());
}

TEST_CASE("profiled shares of communication come out of what no sample explains") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 60));
  result::Result result = analyzed(job);
  result::OverlapRow row;
  row.process = "p";
  row.profiled_us = 10;
  row.exposed_us = 3;
  result.traces.communication.overlap.push_back(row);
  const findings::Ledger ledger = ledger_of(result, aggregate::node_series(job));
  const findings::Account& account = ledger.accounts.at(0);
  CHECK_THAT(lost(account, findings::Cause::communication), WithinAbs(60, kClose)); // 30% of 200 s
  CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(20, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("a collective's kernel that only waits is lost, though the GPU seems busy") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 100));
  result::Result result = analyzed(job);
  result::CollectiveRow collective;
  collective.process = "p";
  collective.where = "GPU";
  collective.total_us = 5;
  result.traces.communication.collectives.push_back(collective);
  result::OverlapRow row;
  row.process = "p";
  row.profiled_us = 10;
  row.exposed_us = 2;
  result.traces.communication.overlap.push_back(row);
  result::GpuActivity gpu;
  gpu.process = "p";
  gpu.profiled_us = 10;
  gpu.busy_us = 8;
  result.traces.gpus.push_back(gpu);
  const findings::Ledger ledger = ledger_of(result, aggregate::node_series(job));
  const findings::Account& account = ledger.accounts.at(0);
  CHECK_THAT(lost(account, findings::Cause::communication),
             WithinAbs(50, kClose)); // 2 / 8 of 200 s
  CHECK_THAT(account.busy, WithinAbs(150, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

} // namespace test_ledger
