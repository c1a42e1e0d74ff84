#include "findings/ledger.h"

namespace debrief::findings {

namespace {

template <typename Figure>
double sum(const std::vector<Account>& accounts, const Figure& figure) {
  double total = 0;
  for (const Account& account : accounts)
    total += figure(account);
  return total;
}

} // namespace

double Ledger::paid() const {
  return sum(accounts, [](const Account& account) { return account.paid; });
}

double Ledger::busy() const {
  return sum(accounts, [](const Account& account) { return account.busy; });
}

double Ledger::unmeasured() const {
  return sum(accounts, [](const Account& account) { return account.unmeasured; });
}

double Ledger::set_aside() const {
  if (!phases_aside) return 0;
  return sum(accounts, [](const Account& account) {
    return account.lost[index_of(Cause::start)] + account.lost[index_of(Cause::finish)];
  });
}

double Ledger::judged() const {
  return paid() - unmeasured() - set_aside();
}

double Ledger::lost(Cause cause) const {
  if (phases_aside && (cause == Cause::start || cause == Cause::finish)) return 0;
  return sum(accounts, [&](const Account& account) { return account.lost[index_of(cause)]; });
}

double Ledger::share(Cause cause) const {
  const double all = judged();
  return all > 0 ? lost(cause) / all : 0;
}

double Ledger::busy_share_in_loop() const {
  double busy = 0;
  double all = 0;
  for (const Account& account : accounts) {
    if (account.lost[index_of(Cause::idle_gpu)] > 0) continue;
    busy += account.busy_in_loop;
    all += account.in_loop;
  }
  return all > 0 ? busy / all : 0;
}

double lost_share(const Ledger& ledger) {
  double lost = 0;
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    lost += ledger.share(static_cast<Cause>(cause));
  return lost;
}

} // namespace debrief::findings
