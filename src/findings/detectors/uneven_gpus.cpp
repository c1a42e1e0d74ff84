// Some GPUs were never, or hardly ever, used.
#include "findings/detectors/detectors.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

std::optional<result::Finding> find_idle_gpus(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::idle_gpus);
  if (!finding) return std::nullopt;
  std::vector<std::string> names;
  for (const Account& account : ctx.ledger.accounts)
    if (account.lost[index_of(Cause::idle_gpu)] > 0)
      names.push_back((account.device.empty() ? "GPUs of " : "") +
                      words::place(account.node, account.device));
  const auto idle = std::ssize(names);
  const auto all = std::ssize(ctx.ledger.accounts);
  constexpr std::size_t kMaxNamed = 8;
  std::string list =
      fmt::format("{}", fmt::join(names.begin(),
                                  names.begin() + std::min<std::ptrdiff_t>(idle, kMaxNamed), ", "));
  if (names.size() > kMaxNamed) list += fmt::format(" and {} more", names.size() - kMaxNamed);
  finding->title = idle == all ? (all == 1 ? "The GPU was never used" : "No GPU was ever used")
                               : fmt::format("{} of {} GPUs {} never used", idle, all,
                                             idle == 1 ? "was" : "were");
  // Nodes can be sampled at different intervals; the ledger has the number of one.
  const bool one_node = std::all_of(
      ctx.ledger.accounts.begin(), ctx.ledger.accounts.end(),
      [&](const Account& account) { return account.node == ctx.ledger.accounts[0].node; });
  finding->why =
      fmt::format("{} computed at fewer than 1% of {}.", list,
                  one_node && ctx.ledger.samples > 0 ? words::counted(ctx.ledger.samples, "sample")
                                                     : "all samples");
  finding->actions = {
      idle == all
          ? fmt::format("Move the model and its data to the GPU (.to(\"cuda\"), "
                        "torch.cuda.is_available()), or run without {} on an instance that has "
                        "none.",
                        all == 1 ? "the GPU" : fmt::format("the {} GPUs", all))
          : fmt::format("Start one process per GPU (torchrun --nproc_per_node), or run on an "
                        "instance with {} instead of {}.",
                        words::counted(all - idle, "GPU"), all)};
  finding->evidence.push_back({"GPUs that were not used", static_cast<double>(idle), ""});
  finding->evidence.push_back({"GPUs", static_cast<double>(all), ""});
  return finding;
}

// GPUs or nodes differ in how hard they work.

namespace {

double busy_share(const Account& account) {
  return account.in_loop > 0 ? account.busy_in_loop / account.in_loop : 0;
}

std::string name_of(const Account& account) {
  return words::place(account.node, account.device);
}

} // namespace

std::optional<result::Finding> find_load_imbalance(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::load_imbalance);
  if (!finding) return std::nullopt;
  std::vector<const Account*> used;
  for (const Account& account : ctx.ledger.accounts)
    if (account.in_loop > 0 && account.lost[index_of(Cause::idle_gpu)] <= 0)
      used.push_back(&account);
  const auto [least, most] =
      std::minmax_element(used.begin(), used.end(), [](const Account* a, const Account* b) {
        return busy_share(*a) < busy_share(*b);
      });
  finding->title = "GPUs do not share the work evenly";
  finding->why =
      fmt::format("In the training loop {} was busy {}, {} only {}; the other "
                  "GPUs' shortfall adds up to {}.",
                  name_of(**most), words::percent(busy_share(**most)), name_of(**least),
                  words::percent(busy_share(**least)), share_of_job(ctx, finding->score));
  finding->actions = {
      fmt::format("Look at {} first: give it as many and as long samples as {} (a distributed "
                  "sampler, batches by length, equal pipeline stages).",
                  name_of(**least), name_of(**most)),
      "Check that its process does not wait for another."};
  finding->evidence.push_back({"busiest GPU", 100 * busy_share(**most), "%"});
  finding->evidence.push_back({"least busy GPU", 100 * busy_share(**least), "%"});
  finding->evidence.push_back({"GPUs compared", static_cast<double>(used.size()), ""});
  return finding;
}

} // namespace debrief::findings
