#include "findings/make_ledger.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <optional>

namespace debrief::findings {

namespace {

/// Share of the loop that a GPU lost for no known cause; nothing for one that was not used.
std::optional<double> unexplained_rate(const Account& account) {
  if (account.in_loop <= 0 || account.lost[index_of(Cause::idle_gpu)] > 0) return std::nullopt;
  return account.lost[index_of(Cause::unexplained)] / account.in_loop;
}

/// What a GPU lost more than the one that lost least, as far as it also worked less than the one
/// that worked most: where events explain the losses of one node only, the others lost no more.
double excess(const Account& account, double least_lost, double most_busy) {
  return std::max(0.0, std::min(*unexplained_rate(account) - least_lost,
                                most_busy - account.busy_in_loop / account.in_loop));
}

} // namespace

void split_imbalance(std::vector<Account>& accounts) {
  std::optional<double> least_lost;
  double most_busy = 0;
  for (const Account& account : accounts)
    if (const auto rate = unexplained_rate(account)) {
      least_lost = std::min(least_lost.value_or(*rate), *rate);
      most_busy = std::max(most_busy, account.busy_in_loop / account.in_loop);
    }
  const auto is_uneven = [&](const Account& account) {
    return unexplained_rate(account) &&
           excess(account, *least_lost, most_busy) >= thresholds::kImbalance;
  };
  if (std::none_of(accounts.begin(), accounts.end(), is_uneven)) return;
  for (Account& account : accounts) {
    if (!unexplained_rate(account)) continue;
    const double more = excess(account, *least_lost, most_busy) * account.in_loop;
    account.lost[index_of(Cause::unexplained)] -= more;
    account.lost[index_of(Cause::imbalance)] += more;
  }
}

} // namespace debrief::findings
