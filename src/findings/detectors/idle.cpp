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

const char* cause_words(Cause cause) {
  switch (cause) {
  case Cause::model:
    return "a model that no longer learned";
  case Cause::idle_gpu:
    return "unused GPUs";
  case Cause::start:
    return "startup";
  case Cause::finish:
    return "shutdown";
  case Cause::io:
    return "waiting on disk";
  case Cause::cpu:
    return "saturated CPU cores";
  case Cause::input:
    return "waiting on data";
  case Cause::stall:
    return "stalled steps";
  case Cause::between:
    return "between steps";
  case Cause::sync:
    return "blocking syncs";
  case Cause::communication:
    return "communication";
  case Cause::imbalance:
    return "uneven work";
  case Cause::unexplained:
    break;
  }
  return "other idle";
}

namespace {

struct LostPart {
  Cause cause;
  double share = 0; ///< of what was measured
};

/// Those that can be seen, largest first.
std::vector<LostPart> largest_parts(const Ledger& ledger) {
  std::vector<LostPart> parts;
  for (std::size_t cause = 0; cause < kCauses; ++cause)
    if (const double share = ledger.share(static_cast<Cause>(cause));
        share >= thresholds::kMinReportedShare)
      parts.push_back({static_cast<Cause>(cause), share});
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
  const std::vector<LostPart> parts = largest_parts(ctx.ledger);
  std::vector<std::string> listed;
  for (const LostPart& part : parts)
    listed.push_back(fmt::format("{} {}", cause_words(part.cause), words::percent(part.share)));
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
  finding.why = fmt::format("{} is idle", share_of_job(ctx, lost));
  finding.why += listed.empty() ? "." : fmt::format(": {}.", fmt::join(listed, ", "));
  finding.actions.push_back(
      parts.empty() || parts.front().cause == Cause::unexplained
          ? (ctx.result.traces.empty()
                 ? "Profile a few steps with torch.profiler to see what the gaps are."
                 : "Look at what the CPU does in the gaps of a profiled step.")
          : fmt::format("Start with the largest part, {}.", cause_words(parts.front().cause)));
  if (parts.size() > 1 && parts.front().cause == Cause::unexplained)
    finding.actions.push_back(fmt::format("Next largest: {}.", cause_words(parts[1].cause)));
  for (const LostPart& part : parts)
    finding.evidence.push_back({cause_words(part.cause), 100 * part.share, "%"});
  return finding;
}

} // namespace debrief::findings
