// The ledger over time: busy and lost seconds in equal bins of the job's time, all GPUs together.
#pragma once

#include "findings/account.h"
#include "result/waste_over_time.h"
#include "util/time.h"

#include <array>
#include <span>
#include <vector>

namespace debrief::findings {

class LedgerBins {
public:
  /// No bins: moments are not known.
  LedgerBins() = default;

  /// `rest_is_busy`: what is not lost is work, as where only steps are known; else it was not
  /// measured.
  explicit LedgerBins(const TimeSpan& span, bool rest_is_busy = false);

  bool empty() const { return busy_.empty(); }

  /// Spreads seconds evenly over `span`; what lies outside of the bins is left out.
  void add(const TimeSpan& span, double busy, const SecondsByCause& lost);

  /// Bins of another node of the job.
  void add(const LedgerBins& other);

  /// As the accounts have it in the end: what they gave to a cause after its moments were known
  /// comes evenly out of those that they took it from.
  result::WasteOverTime settled(std::span<const Account> accounts) const;

private:
  TimeSpan span_;
  bool rest_is_busy_ = false;
  std::vector<double> busy_;
  std::array<std::vector<double>, kCauses> lost_;
};

} // namespace debrief::findings
