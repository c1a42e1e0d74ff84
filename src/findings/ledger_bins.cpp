#include "findings/ledger_bins.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::findings {

namespace {

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

void add_all(std::vector<double>& into, const std::vector<double>& values) {
  for (std::size_t at = 0; at < into.size(); ++at)
    into[at] += values[at];
}

void scale(std::vector<double>& values, double factor) {
  for (double& value : values)
    value *= factor;
}

} // namespace

LedgerBins::LedgerBins(const TimeSpan& span, bool rest_is_busy)
    : span_(span)
    , rest_is_busy_(rest_is_busy) {
  if (span.length() <= 0) return;
  busy_.assign(result::kWasteBins, 0);
  lost_.fill(busy_);
}

void LedgerBins::add(const TimeSpan& span, double busy, const SecondsByCause& lost) {
  if (empty() || span.length() <= 0) return;
  const auto whole = static_cast<double>(span.length());
  const double width =
      static_cast<double>(span_.length()) / static_cast<double>(result::kWasteBins);
  const double from = std::max(0.0, static_cast<double>(span.first - span_.first));
  const double to =
      std::min(static_cast<double>(span.last - span_.first), static_cast<double>(span_.length()));
  if (to <= from) return;
  const auto last = std::min(static_cast<std::size_t>(to / width), result::kWasteBins - 1);
  for (auto bin = static_cast<std::size_t>(from / width); bin <= last; ++bin) {
    const auto at = static_cast<double>(bin);
    const double share = (std::min(to, (at + 1) * width) - std::max(from, at * width)) / whole;
    if (share <= 0) continue;
    busy_[bin] += share * busy;
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      if (lost[cause] > 0) lost_[cause][bin] += share * lost[cause];
  }
}

void LedgerBins::add(const LedgerBins& other) {
  if (other.empty()) return;
  if (empty()) {
    *this = other;
    return;
  }
  add_all(busy_, other.busy_);
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    add_all(lost_[cause], other.lost_[cause]);
}

result::WasteOverTime LedgerBins::settled(std::span<const Account> accounts) const {
  result::WasteOverTime out;
  if (empty() || accounts.empty()) return out;
  SecondsByCause wanted{};
  for (const Account& account : accounts)
    for (std::size_t cause = 0; cause < kCauses; ++cause)
      wanted[cause] += account.lost[cause];
  std::array<std::vector<double>, kCauses> lost = lost_;
  // What causes have too much of in the bins is what others lack.
  std::vector<double> spare(result::kWasteBins, 0);
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    const double have = sum_of(lost[cause]);
    if (have <= wanted[cause]) continue;
    for (std::size_t bin = 0; bin < spare.size(); ++bin)
      spare[bin] += (1 - wanted[cause] / have) * lost[cause][bin];
    scale(lost[cause], wanted[cause] / have);
  }
  const double all_spare = sum_of(spare);
  for (std::size_t cause = 0; cause < kCauses && all_spare > 0; ++cause) {
    const double share = std::min((wanted[cause] - sum_of(lost[cause])) / all_spare, 1.0);
    for (std::size_t bin = 0; bin < spare.size() && share > 0; ++bin)
      lost[cause][bin] += share * spare[bin];
  }
  out.span = span_;
  out.bin_seconds = in_seconds(span_.length()) / static_cast<double>(result::kWasteBins);
  out.busy = busy_;
  const double paid = out.bin_seconds * static_cast<double>(accounts.size());
  out.unmeasured.resize(busy_.size());
  for (std::size_t bin = 0; bin < busy_.size(); ++bin) {
    double rest = paid - busy_[bin];
    for (const std::vector<double>& of_cause : lost)
      rest -= of_cause[bin];
    (rest_is_busy_ ? out.busy : out.unmeasured)[bin] += std::max(0.0, rest);
  }
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    if (sum_of(lost[cause]) > 0)
      out.lost.push_back({static_cast<Cause>(cause), std::move(lost[cause])});
  return out;
}

} // namespace debrief::findings
