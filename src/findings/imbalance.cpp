#include "findings/make_ledger.h"
#include "findings/thresholds.h"

#include <algorithm>
#include <optional>

namespace debrief {

namespace {

/// Share of the loop that a GPU lost for no known cause; nothing for one that was not used.
std::optional<double> unexplained_rate(const Account& account) {
  if (account.in_loop <= 0 || account.lost[index_of(Cause::idle_gpu)] > 0) return std::nullopt;
  return account.lost[index_of(Cause::unexplained)] / account.in_loop;
}

} // namespace

void split_imbalance(std::vector<Account>& accounts) {
  std::optional<double> least;
  std::optional<double> most;
  for (const Account& account : accounts) {
    const auto rate = unexplained_rate(account);
    if (!rate) continue;
    least = std::min(least.value_or(*rate), *rate);
    most = std::max(most.value_or(*rate), *rate);
  }
  if (!least || *most - *least < thresholds::kImbalance) return;
  for (Account& account : accounts) {
    const auto rate = unexplained_rate(account);
    if (!rate) continue;
    const double more = (*rate - *least) * account.in_loop;
    account.lost[index_of(Cause::unexplained)] -= more;
    account.lost[index_of(Cause::imbalance)] += more;
  }
}

} // namespace debrief
