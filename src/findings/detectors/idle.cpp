// Much of the time is lost, though no one cause calls for action.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace debrief::findings {

std::string cause_words(Cause cause) {
  return cause == Cause::unexplained ? spec_of(result::FindingKind::idle).name
                                     : spec_of(result::kind_of(cause)).name;
}

namespace {

struct LostPart {
  Cause cause;
  double share = 0; ///< of what was measured
};

/// Those that can be seen and that no other finding is about, largest first.
std::vector<LostPart> largest_parts(const Ledger& ledger,
                                    const std::vector<result::Finding>& others) {
  std::vector<LostPart> parts;
  for (std::size_t at = 0; at < kCauses; ++at) {
    const auto cause = static_cast<Cause>(at);
    const bool told = std::any_of(others.begin(), others.end(), [&](const auto& other) {
      return other.score > 0 && other.kind == result::kind_of(cause);
    });
    if (const double share = ledger.share(cause); share >= thresholds::kMinReportedShare && !told)
      parts.push_back({cause, share});
  }
  std::stable_sort(parts.begin(), parts.end(),
                   [](const LostPart& a, const LostPart& b) { return a.share > b.share; });
  return parts;
}

} // namespace

std::optional<result::Finding> find_idle(const DiagnosisContext& ctx,
                                         const std::vector<result::Finding>& found) {
  const double lost = lost_share(ctx.ledger);
  if (lost <= thresholds::kMaxHealthyLoss) return std::nullopt;
  double told = 0; // by the others
  for (const result::Finding& other : found) {
    if (other.severity != result::Severity::info || other.score >= lost / 2) return std::nullopt;
    told += other.score;
  }
  result::Finding finding;
  finding.kind = result::FindingKind::idle;
  finding.severity = result::Severity::warning;
  finding.score = std::clamp(lost - told, 0.0, 1.0);
  finding.confidence =
      ctx.ledger.basis == Basis::traces ? result::Confidence::low : result::Confidence::medium;
  finding.ground = ground_of(ctx);
  const std::vector<LostPart> parts = largest_parts(ctx.ledger, found);
  std::vector<std::string> listed;
  double rest = finding.score;
  for (const LostPart& part : parts) {
    listed.push_back(fmt::format("{} {}", cause_words(part.cause), words::percent(part.share)));
    rest -= part.share;
  }
  constexpr double kWorthSaying = 0.001;
  if (!listed.empty() && rest >= kWorthSaying) listed.push_back("the rest " + words::percent(rest));
  finding.title = ctx.ledger.of_gpus() ? the_gpus(ctx) + (ctx.ledger.accounts.size() == 1
                                                              ? " is idle much of the time"
                                                              : " are idle much of the time")
                                       : "Much of the job's time is idle";
  if (ctx.ledger.basis == Basis::cores) {
    finding.title = "The CPU cores are mostly idle";
    finding.why = busy_in_loop(ctx) + '.';
    finding.actions = {"Use more of them (workers, threads, processes), or a machine with fewer."};
    finding.evidence.push_back({"cores idle", 100 * lost, "%"});
    return finding;
  }
  finding.why = fmt::format(
      "{}{} is lost",
      told > 0 ? fmt::format("Besides the {} in the notes below, ", words::percent(told)) : "",
      share_of_job(ctx, finding.score));
  finding.why += listed.empty() ? "." : fmt::format(": {}.", fmt::join(listed, ", "));
  finding.actions.push_back(
      parts.empty() || parts.front().cause == Cause::unexplained
          ? how_to_trace(ctx).value_or("Look at what the CPU does while the GPU is idle.")
          : fmt::format("Start with the largest part, {}.", cause_words(parts.front().cause)));
  if (parts.size() > 1 && parts.front().cause == Cause::unexplained)
    finding.actions.push_back(fmt::format("Then look at the next largest part, {} ({}).",
                                          cause_words(parts[1].cause),
                                          words::percent(parts[1].share)));
  for (const LostPart& part : parts)
    finding.evidence.push_back({cause_words(part.cause), 100 * part.share, "%"});
  return finding;
}

} // namespace debrief::findings
