#include "finding_support.h"

using namespace debrief;
using namespace debrief::test;

namespace {

Account losing(double unexplained, double idle = 0) {
  Account account;
  account.paid = 100;
  account.in_loop = 100;
  account.lost[index_of(Cause::unexplained)] = unexplained;
  account.lost[index_of(Cause::idle_gpu)] = idle;
  account.busy = 100 - unexplained - idle;
  account.busy_in_loop = account.busy;
  return account;
}

} // namespace

TEST_CASE("what a GPU loses beyond the one that loses least is imbalance") {
  std::vector<Account> accounts = {losing(10), losing(25), losing(15)};
  split_imbalance(accounts);
  CHECK(lost(accounts[0], Cause::imbalance) == 0);
  CHECK_THAT(lost(accounts[1], Cause::imbalance), WithinAbs(15, kClose));
  CHECK_THAT(lost(accounts[2], Cause::imbalance), WithinAbs(5, kClose));
  for (const Account& account : accounts) {
    CHECK_THAT(lost(account, Cause::unexplained), WithinAbs(10, kClose));
    CHECK_THAT(left_over(account), WithinAbs(0, kClose));
  }
}

TEST_CASE("GPUs that differ by less than ten points are left as they are") {
  std::vector<Account> accounts = {losing(10), losing(19)};
  split_imbalance(accounts);
  CHECK(lost(accounts[1], Cause::unexplained) == 19);
}

TEST_CASE("GPUs that were not used, or not in the loop, are not compared") {
  std::vector<Account> accounts = {losing(40), losing(0, 100), Account{}};
  split_imbalance(accounts);
  CHECK(lost(accounts[0], Cause::imbalance) == 0);
  std::vector<Account> none;
  split_imbalance(none);
  CHECK(none.empty());
}

TEST_CASE("GPUs that work as much as others are even, whatever explains their losses") {
  Account explained = losing(0);
  explained.busy = explained.busy_in_loop = 60;
  explained.lost[index_of(Cause::between)] = 40;
  std::vector<Account> accounts = {explained, losing(40), losing(44)};
  split_imbalance(accounts);
  for (const Account& account : accounts)
    CHECK(lost(account, Cause::imbalance) == 0);
  accounts.push_back(losing(55));
  split_imbalance(accounts);
  CHECK_THAT(lost(accounts[3], Cause::imbalance), WithinAbs(15, kClose)); // busy 45 % against 60 %
  CHECK_THAT(lost(accounts[3], Cause::unexplained), WithinAbs(40, kClose));
}
