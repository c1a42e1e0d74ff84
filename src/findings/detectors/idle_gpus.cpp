// Some GPUs were never, or hardly ever, used.
#include "findings/detectors/detectors.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

std::optional<result::Finding> find_idle_gpus(const Case& of) {
  auto finding = cost_finding(of, Cause::idle_gpu, "idle_gpus");
  if (!finding) return std::nullopt;
  std::vector<std::string> names;
  for (const Account& account : of.ledger.accounts)
    if (account.lost[index_of(Cause::idle_gpu)] > 0)
      names.push_back((account.device.empty() ? "GPUs of " : "") +
                      words::place(account.node, account.device));
  const auto idle = std::ssize(names);
  const auto all = std::ssize(of.ledger.accounts);
  constexpr std::size_t kNamed = 8;
  std::string list = fmt::format(
      "{}", fmt::join(names.begin(), names.begin() + std::min<std::ptrdiff_t>(idle, kNamed), ", "));
  if (names.size() > kNamed) list += fmt::format(" and {} more", names.size() - kNamed);
  finding->title = idle == all ? (all == 1 ? "The GPU was never used" : "No GPU was ever used")
                               : fmt::format("{} of {} GPUs {} never used", idle, all,
                                             idle == 1 ? "was" : "were");
  // Nodes can be sampled at different intervals; the ledger has the number of one.
  const bool one_node = std::all_of(
      of.ledger.accounts.begin(), of.ledger.accounts.end(),
      [&](const Account& account) { return account.node == of.ledger.accounts[0].node; });
  finding->why =
      fmt::format("{} computed at fewer than 1 % of {}.", list,
                  one_node && of.ledger.samples > 0 ? words::counted(of.ledger.samples, "sample")
                                                    : "all samples");
  finding->next =
      idle == all
          ? fmt::format("Move the model and its data to the GPU (.to(\"cuda\"), "
                        "torch.cuda.is_available()), or run without {} on an instance that has "
                        "none.",
                        all == 1 ? "the GPU" : fmt::format("the {} GPUs", all))
          : fmt::format("Start one process per GPU (torchrun --nproc_per_node), or run on an "
                        "instance with {} instead of {}.",
                        words::counted(all - idle, "GPU"), all);
  finding->evidence.push_back({"GPUs that were not used", static_cast<double>(idle), ""});
  finding->evidence.push_back({"GPUs", static_cast<double>(all), ""});
  return finding;
}

} // namespace debrief::findings
