#include "finding_support.h"

namespace test_imbalance {

using namespace debrief;
using namespace debrief::test;

namespace {

findings::Account losing(double unexplained, double idle = 0) {
  findings::Account account;
  account.paid = 100;
  account.in_loop = 100;
  account.lost[findings::index_of(findings::Cause::unexplained)] = unexplained;
  account.lost[findings::index_of(findings::Cause::idle_gpu)] = idle;
  account.busy = 100 - unexplained - idle;
  account.busy_in_loop = account.busy;
  return account;
}

} // namespace

TEST_CASE("what a GPU loses beyond the one that loses least is imbalance") {
  std::vector<findings::Account> accounts = {losing(10), losing(25), losing(15)};
  findings::split_imbalance(accounts);
  CHECK(lost(accounts[0], findings::Cause::imbalance) == 0);
  CHECK_THAT(lost(accounts[1], findings::Cause::imbalance), WithinAbs(15, kClose));
  CHECK_THAT(lost(accounts[2], findings::Cause::imbalance), WithinAbs(5, kClose));
  for (const findings::Account& account : accounts) {
    CHECK_THAT(lost(account, findings::Cause::unexplained), WithinAbs(10, kClose));
    CHECK_THAT(left_over(account), WithinAbs(0, kClose));
  }
}

TEST_CASE("GPUs that differ by less than ten points are left as they are") {
  std::vector<findings::Account> accounts = {losing(10), losing(19)};
  findings::split_imbalance(accounts);
  CHECK(lost(accounts[1], findings::Cause::unexplained) == 19);
}

TEST_CASE("GPUs that were not used, or not in the loop, are not compared") {
  std::vector<findings::Account> accounts = {losing(40), losing(0, 100), findings::Account{}};
  findings::split_imbalance(accounts);
  CHECK(lost(accounts[0], findings::Cause::imbalance) == 0);
  std::vector<findings::Account> none;
  findings::split_imbalance(none);
  CHECK(none.empty());
}

TEST_CASE("GPUs that work as much as others are even, whatever explains their losses") {
  findings::Account explained = losing(0);
  explained.busy = explained.busy_in_loop = 60;
  explained.lost[findings::index_of(findings::Cause::between)] = 40;
  std::vector<findings::Account> accounts = {explained, losing(40), losing(44)};
  findings::split_imbalance(accounts);
  for (const findings::Account& account : accounts)
    CHECK(lost(account, findings::Cause::imbalance) == 0);
  accounts.push_back(losing(55));
  findings::split_imbalance(accounts);
  CHECK_THAT(lost(accounts[3], findings::Cause::imbalance),
             WithinAbs(15, kClose)); // busy 45% against 60%
  CHECK_THAT(lost(accounts[3], findings::Cause::unexplained), WithinAbs(40, kClose));
}

} // namespace test_imbalance
