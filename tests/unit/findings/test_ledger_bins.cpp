#include "finding_support.h"
#include "findings/ledger_bins.h"
#include "util/number_text.h"

#include <numeric>

namespace test_ledger_bins {

using namespace debrief;
using namespace debrief::test;
using findings::Account;
using findings::index_of;
using findings::LedgerBins;
using findings::SecondsByCause;
using result::Cause;

namespace {

constexpr TimeSpan kJob{0, 480 * kSecond}; // a second for each bin

SecondsByCause lost(Cause cause, double seconds) {
  SecondsByCause out{};
  out[index_of(cause)] = seconds;
  return out;
}

double total(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

const std::vector<double>& of(const result::WasteOverTime& bins, Cause cause) {
  static const std::vector<double> kNone;
  for (const result::CauseOverTime& one : bins.lost)
    if (one.cause == cause) return one.seconds;
  return kNone;
}

} // namespace

TEST_CASE("seconds are spread evenly over the bins that their time lies in") {
  LedgerBins bins{kJob};
  bins.add({500'000, 3 * kSecond}, 1.0, lost(Cause::input, 1.5));
  Account account;
  account.lost[index_of(Cause::input)] = 1.5;
  const result::WasteOverTime out = bins.settled(std::array{account});
  REQUIRE(out.busy.size() == result::kWasteBins);
  CHECK(out.bin_seconds == 1);
  CHECK_THAT(out.busy[0], WithinAbs(0.2, 1e-9));
  CHECK_THAT(out.busy[1], WithinAbs(0.4, 1e-9));
  CHECK_THAT(of(out, Cause::input)[2], WithinAbs(0.6, 1e-9));
  CHECK(out.busy[3] == 0);
  CHECK_THAT(out.unmeasured[0], WithinAbs(0.5, 1e-9));
  CHECK_THAT(out.unmeasured[3], WithinAbs(1, 1e-9));
}

TEST_CASE("what lies outside of the job is left out, and a job without length has no bins") {
  LedgerBins bins{kJob};
  bins.add({-kSecond, kSecond}, 2, {});
  bins.add({479 * kSecond, 481 * kSecond}, 2, {});
  bins.add({1000 * kSecond, 1001 * kSecond}, 1, {});
  const result::WasteOverTime out = bins.settled(std::array{Account{}});
  CHECK_THAT(total(out.busy), WithinAbs(2, 1e-9));
  CHECK_THAT(out.busy.back(), WithinAbs(1, 1e-9));
  LedgerBins none{TimeSpan{5, 5}};
  none.add({5, 6}, 1, {});
  CHECK(none.settled(std::array{Account{}}).empty());
}

TEST_CASE("what is known of the whole loop only comes evenly out of what nothing explains") {
  LedgerBins bins{kJob};
  bins.add({0, kSecond}, 0, lost(Cause::unexplained, 1));
  bins.add({kSecond, 2 * kSecond}, 0, lost(Cause::unexplained, 0.5));
  Account account;
  account.lost[index_of(Cause::unexplained)] = 0.5;
  account.lost[index_of(Cause::communication)] = 1;
  const result::WasteOverTime out = bins.settled(std::array{account});
  CHECK_THAT(of(out, Cause::communication)[0], WithinAbs(2.0 / 3, 1e-9));
  CHECK_THAT(of(out, Cause::communication)[1], WithinAbs(1.0 / 3, 1e-9));
  CHECK_THAT(total(of(out, Cause::unexplained)), WithinAbs(0.5, 1e-9));
}

TEST_CASE("nodes add up, and what only steps tell is busy where it is not lost") {
  LedgerBins bins{kJob, true};
  LedgerBins other{kJob, true};
  bins.add({0, kSecond}, 0, lost(Cause::start, 1));
  other.add({0, kSecond}, 0, lost(Cause::start, 0.5));
  bins.add(other);
  Account account;
  account.lost[index_of(Cause::start)] = 0.75;
  const result::WasteOverTime out = bins.settled(std::array{account, account});
  CHECK_THAT(of(out, Cause::start)[0], WithinAbs(1.5, 1e-9));
  CHECK_THAT(out.busy[0], WithinAbs(0.5, 1e-9));
  CHECK_THAT(out.busy[1], WithinAbs(2, 1e-9));
  CHECK(total(out.unmeasured) == 0);
}

TEST_CASE("a job's bins sum to its waste, cause by cause") {
  const result::Waste waste = analyzed(paced(0.22, "DataLoaderIter")).waste;
  REQUIRE_FALSE(waste.over_time.empty());
  CHECK_THAT(total(waste.over_time.busy), WithinAbs(3600 * waste.busy, 0.5));
  REQUIRE(waste.causes.size() == waste.over_time.lost.size());
  for (const result::CauseCost& cost : waste.causes)
    CHECK_THAT(total(of(waste.over_time, cost.cause)), WithinAbs(3600 * cost.hours, 0.5));
  CHECK(waste.causes.front().kind == result::FindingKind::input_bound);
}

} // namespace test_ledger_bins
