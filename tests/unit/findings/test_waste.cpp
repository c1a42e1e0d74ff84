#include "finding_support.h"
#include "findings/diagnose.h"

namespace test_waste {

using namespace debrief;
using namespace debrief::test;

namespace {

double sum_of(const result::Waste& waste) {
  double sum = waste.busy + waste.other + waste.set_aside + waste.unmeasured;
  for (const result::WastePart& part : waste.parts)
    sum += part.hours;
  return sum;
}

/// 10 GPU-hours, half of them busy, one not measured, 3 for data, 1 for nothing known.
findings::Ledger example() {
  findings::Ledger ledger;
  ledger.basis = findings::Basis::samples;
  findings::Account account;
  account.paid = 36'000;
  account.busy = 18'000;
  account.unmeasured = 3600;
  account.lost[findings::index_of(findings::Cause::input)] = 3 * 3600;
  account.lost[findings::index_of(findings::Cause::unexplained)] = 3600;
  ledger.accounts.push_back(account);
  return ledger;
}

Finding costing(const std::string& kind, double score) {
  Finding finding;
  finding.kind = *result::from_text<result::FindingKind>(kind);
  finding.score = score;
  return finding;
}

} // namespace

TEST_CASE("waste is hours by finding, and what is too little to be one") {
  const result::Waste waste = findings::waste_of(
      example(), {costing("input_bound", 3.0 / 9), costing("memory_growth", 0)}, std::nullopt);
  CHECK(waste.unit == result::WasteUnit::gpu_hours);
  CHECK(waste.basis == "GPU utilization samples");
  CHECK(waste.paid == 10);
  CHECK(waste.busy == 5);
  CHECK(waste.unmeasured == 1);
  REQUIRE(waste.parts.size() == 1);
  CHECK(waste.parts[0].kind == result::FindingKind::input_bound);
  CHECK_THAT(waste.parts[0].hours, WithinAbs(3, 1e-9));
  CHECK_THAT(waste.parts[0].percent, WithinAbs(30, 1e-9));
  CHECK_FALSE(waste.parts[0].money);
  CHECK_FALSE(waste.price);
  CHECK_THAT(waste.other, WithinAbs(1, 1e-9));
  CHECK_THAT(sum_of(waste), WithinAbs(10, 1e-9));
}

TEST_CASE("a price makes money of hours") {
  const result::Waste waste = findings::waste_of(example(), {costing("input_bound", 3.0 / 9)}, 4.5);
  CHECK(waste.price == 4.5);
  REQUIRE(waste.parts[0].money);
  CHECK_THAT(*waste.parts[0].money, WithinAbs(13.5, 1e-9));
}

TEST_CASE("parts never pass what was lost") {
  const result::Waste waste = findings::waste_of(
      example(), {costing("input_bound", 3.0 / 9), costing("slow_start", 0.2)}, std::nullopt);
  CHECK_THAT(waste.parts.at(1).hours, WithinAbs(1, 1e-9));
  CHECK(waste.other == 0);
  CHECK_THAT(sum_of(waste), WithinAbs(10, 1e-9));
}

TEST_CASE("a job that is not known to have cost anything has no waste") {
  const result::Waste none =
      findings::waste_of(findings::Ledger{}, {costing("input_bound", 3.0 / 9)}, 4.5);
  CHECK_FALSE(none.paid);
  CHECK(none.unit == result::WasteUnit::unknown);
  CHECK(none.parts.empty());
}

TEST_CASE("hours of a job without GPUs are those of its nodes") {
  findings::Ledger ledger = example();
  ledger.basis = findings::Basis::steps;
  CHECK(findings::waste_of(ledger, {}, std::nullopt).unit == result::WasteUnit::node_hours);
  CHECK(findings::waste_of(ledger, {}, std::nullopt).basis == "steps");
  ledger.basis = findings::Basis::cores;
  CHECK(findings::waste_of(ledger, {}, std::nullopt).basis == "CPU utilization samples");
}

TEST_CASE("busy without collectives' kernels says so") {
  findings::Ledger ledger = example();
  ledger.without_collectives = true;
  CHECK(findings::waste_of(ledger, {}, std::nullopt).basis ==
        "GPU utilization samples, without exposed communication");
}

TEST_CASE("the price goes from the options into the result") {
  job::Job job = paced(0.22, "DataLoaderIter");
  pipeline::AnalyzeOptions options;
  options.diagnose.price = 36;
  pipeline::StageClock clock;
  const result::Waste waste = pipeline::analyze(job, options, clock).waste;
  // 44 s of a GPU at 36 an hour.
  REQUIRE(waste.parts.size() == 1);
  CHECK_THAT(waste.parts[0].money.value_or(0), WithinAbs(0.44, 1e-4));
  CHECK_THAT(sum_of(waste), WithinAbs(*waste.paid, 1e-9));
}

} // namespace test_waste
