#include "finding_support.h"
#include "findings/loop_shares.h"

namespace test_recorded_ledger {

using namespace debrief;
using namespace debrief::test;

namespace {

/// min, p50, p95, p99, max of a node.
result::UsageRow usage(const std::string& metric, double min, double p50, double p95, double p99,
                       double max) {
  result::UsageRow row;
  row.node = "algo-1";
  row.metric = *result::from_text<result::Metric>(metric);
  row.min = min;
  row.p50 = p50;
  row.p95 = p95;
  row.p99 = p99;
  row.max = max;
  return row;
}

/// 100 s, of which the loop begins after 20, with one GPU at these quantiles.
result::Result recorded_result(const result::UsageRow& gpu) {
  result::Result result = bare_result(0, 100);
  result.job.training_loop_start = at(20);
  result.system_usage.push_back(gpu);
  return result;
}

result::RuleRow rule(const std::string& name, std::int64_t violations, std::int64_t datapoints) {
  result::RuleRow row;
  row.rule = name;
  row.status = result::RuleStatus::issue_found;
  row.violations = violations;
  row.datapoints = datapoints;
  return row;
}

result::Result loading_result(double p50, std::int64_t steps) {
  result::Result result = recorded_result(usage("GPU", 0, 10, 20, 20, 20));
  result.data_loading.source = result::kFromRuleOutputs;
  result.data_loading.num_workers = 0;
  result::LoadTimes load;
  load.what = result::LoadKind::load;
  load.p50 = p50;
  result.data_loading.times.push_back(load);
  result.rules.push_back(rule("StepOutlier", 0, steps));
  return result;
}

} // namespace

TEST_CASE("a GPU's mean is the area under its quantiles") {
  // Half of the time 0 to 60 (mean 30), 45% 60 to 80, 4% 80 to 90, 1% 90 to 100.
  const findings::Ledger ledger =
      findings::recorded_ledger(recorded_result(usage("GPU", 0, 60, 80, 90, 100)));
  REQUIRE(ledger.basis == findings::Basis::recorded);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK(account.paid == 100);
  CHECK_THAT(account.busy, WithinAbs(15 + 31.5 + 3.4 + 0.95, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("what the start, storage and cores explain is taken from the idle time in turn") {
  result::Result result = recorded_result(usage("GPU", 10, 10, 10, 10, 10)); // 90 s lost
  result.rules.push_back(rule("IOBottleneck", 1, 4));                        // 20 s of the loop
  // Saturated from the middle between p50 = 80 and p95 = 100 on: 5% + 22.5%.
  result.system_usage.push_back(usage("CPU", 0, 80, 100, 100, 100));
  const findings::Ledger ledger = findings::recorded_ledger(result);
  const findings::Account& account = ledger.accounts.at(0);
  CHECK_THAT(account.busy, WithinAbs(10, kClose));
  CHECK_THAT(lost(account, findings::Cause::start), WithinAbs(20, kClose));
  CHECK_THAT(lost(account, findings::Cause::io), WithinAbs(20, kClose));
  CHECK_THAT(lost(account, findings::Cause::cpu), WithinAbs(0.275 * 80, kClose));
  CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(28, kClose));
  CHECK_THAT(left_over(account), WithinAbs(0, kClose));
}

TEST_CASE("a rule that was not evaluated explains nothing") {
  result::Result result = recorded_result(usage("GPU", 10, 10, 10, 10, 10));
  result.rules.push_back(rule("IOBottleneck", 1, 4));
  result.rules.back().status = result::RuleStatus::not_evaluated;
  CHECK(lost(findings::recorded_ledger(result).accounts.at(0), findings::Cause::io) == 0);
}

TEST_CASE("boxes of single GPUs are better than the mean of their node") {
  result::Result result = recorded_result(usage("GPU", 0, 45, 90, 90, 90));
  for (const double percent : {90.0, 0.0}) {
    result::DeviceRow row;
    row.node = "algo-1";
    row.device = percent > 0 ? "gpu0" : "gpu1";
    row.metric = result::Metric::gpu;
    row.min = row.p25 = row.p50 = row.p75 = row.p95 = row.max = percent;
    result.devices.push_back(row);
  }
  const findings::Ledger ledger = findings::recorded_ledger(result);
  REQUIRE(ledger.accounts.size() == 2);
  CHECK_THAT(ledger.accounts[0].busy, WithinAbs(90, kClose));
  CHECK_THAT(lost(ledger.accounts[1], findings::Cause::idle_gpu), WithinAbs(100, kClose));
  const Finding finding = found(diagnosed(std::move(result)), "idle_gpus");
  CHECK(finding.confidence == Confidence::medium);
  CHECK(finding.why == "algo-1 gpu1 computed at fewer than 1% of all samples.");
  CHECK(finding.windows.empty()); // no moments are known
}

TEST_CASE("figures beyond a hundred per cent are no more than that") {
  const findings::Ledger ledger =
      findings::recorded_ledger(recorded_result(usage("GPU", 0, 500, 900, 900, 900)));
  CHECK(ledger.accounts.at(0).busy == 100);
  CHECK_THAT(left_over(ledger.accounts[0]), WithinAbs(0, kClose));
}

TEST_CASE("without the job's times or its GPUs there is no ledger") {
  result::Result result = recorded_result(usage("GPU", 0, 50, 50, 50, 50));
  result.job.span.reset();
  CHECK(findings::recorded_ledger(result).basis == findings::Basis::none);
  CHECK(findings::recorded_ledger(recorded_result(usage("CPU", 0, 50, 50, 50, 50))).basis ==
        findings::Basis::none);
}

TEST_CASE("without workers each step waits for one load") {
  CHECK_THAT(findings::recorded_loading_share(loading_result(0.4, 100)).value_or(0),
             WithinAbs(0.5, 1e-9)); // 100 x 0.4 s of 80 s
  CHECK(findings::recorded_loading_share(loading_result(5, 100)) == 1.0);
  const findings::Ledger ledger = findings::recorded_ledger(loading_result(0.4, 100));
  CHECK_THAT(lost(ledger.accounts.at(0), findings::Cause::input), WithinAbs(40, kClose));
  const Finding finding = found(diagnosed(loading_result(0.4, 100)), "input_bound");
  CHECK_THAT(finding.why, ContainsSubstring("a batch takes 400 ms (median), and the training "
                                            "process loads it itself."));
  CHECK(finding.confidence == Confidence::low);
}

TEST_CASE("loads of every node's steps are shared out") {
  result::Result result = loading_result(0.4, 100);
  result.job.nodes = {{"algo-1", {}, {}}, {"algo-2", {}, {}}};
  CHECK_THAT(findings::recorded_loading_share(result).value_or(0), WithinAbs(0.25, 1e-9));
}

TEST_CASE("workers, other recorders and missing figures tell no share of loading") {
  result::Result result = loading_result(0.4, 100);
  result.data_loading.num_workers = 2;
  CHECK_FALSE(findings::recorded_loading_share(result));
  result.data_loading.num_workers.reset();
  CHECK_FALSE(findings::recorded_loading_share(result));
  result = loading_result(0.4, 0);
  CHECK_FALSE(findings::recorded_loading_share(result));
  result = loading_result(0.4, 100);
  result.data_loading.source = result::kFromTimelines;
  CHECK_FALSE(findings::recorded_loading_share(result));
  result = loading_result(0.4, 100);
  result.data_loading.times.clear();
  CHECK_FALSE(findings::recorded_loading_share(result));
  result = loading_result(0.4, 100);
  result.job.training_loop_start.reset();
  CHECK_FALSE(findings::recorded_loading_share(result));
}

} // namespace test_recorded_ledger
