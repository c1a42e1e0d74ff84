// GPUs or nodes differ in how hard they work.
#include "findings/detectors/detectors.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

double busy_share(const Account& account) {
  return account.in_loop > 0 ? account.busy_in_loop / account.in_loop : 0;
}

std::string name_of(const Account& account) {
  return words::place(account.node, account.device);
}

} // namespace

std::optional<result::Finding> find_load_imbalance(const Case& of) {
  auto finding = cost_finding(of, Cause::imbalance, "load_imbalance");
  if (!finding) return std::nullopt;
  std::vector<const Account*> used;
  for (const Account& account : of.ledger.accounts)
    if (account.in_loop > 0 && account.lost[index_of(Cause::idle_gpu)] <= 0)
      used.push_back(&account);
  const auto [least, most] =
      std::minmax_element(used.begin(), used.end(), [](const Account* a, const Account* b) {
        return busy_share(*a) < busy_share(*b);
      });
  finding->title = "GPUs do not share the work evenly";
  finding->why =
      fmt::format("In the training loop {} was busy {}, {} only {}; {} is what the "
                  "others work less than the busiest.",
                  name_of(**most), words::percent(busy_share(**most)), name_of(**least),
                  words::percent(busy_share(**least)), words::share_of_job(of, finding->score));
  finding->next = fmt::format(
      "Look at {} first: give it as many and as long samples as {} (a distributed sampler, batches "
      "by length, equal pipeline stages), and check that its process does not wait for another.",
      name_of(**least), name_of(**most));
  finding->evidence.push_back({"busiest GPU", 100 * busy_share(**most), "%"});
  finding->evidence.push_back({"least busy GPU", 100 * busy_share(**least), "%"});
  finding->evidence.push_back({"GPUs compared", static_cast<double>(used.size()), ""});
  return finding;
}

} // namespace debrief::findings
