// Collectives are not hidden behind compute; a rank that comes late is named.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::findings {

namespace {

/// Whether collectives mostly wait for the last rank, rather than move bytes.
bool is_mostly_waiting(const result::Communication& communication) {
  return communication.wait_percent.value_or(0) > 100 * thresholds::kMostlyWaiting;
}

/// The rank that others wait for: last more often than all others together, or later than the rest
/// by a time that matters.
const result::StragglerRow* straggler_of(const result::Communication& communication) {
  if (communication.stragglers.size() < 2) return nullptr;
  const auto last = std::max_element(
      communication.stragglers.begin(), communication.stragglers.end(),
      [](const result::StragglerRow& a, const result::StragglerRow& b) { return a.last < b.last; });
  if (is_mostly_waiting(communication) && 2 * last->last > last->collectives) return &*last;
  const result::StragglerRow& latest = communication.stragglers.front();
  double others = 0;
  for (const result::StragglerRow& row : communication.stragglers)
    if (&row != &latest) others = std::max(others, row.lateness_us);
  using namespace thresholds;
  return latest.lateness_us > kMinLatenessUs && latest.lateness_us > kMinLatenessRatio * others
             ? &latest
             : nullptr;
}

std::string name_of(const result::StragglerRow& row, const char* word = "rank") {
  std::string process = printable(row.process);
  if (!row.rank) return process;
  if (process == fmt::format("rank {}", *row.rank)) return fmt::format("{} {}", word, *row.rank);
  return fmt::format("{} {} ({})", word, *row.rank, process);
}

/// Time that the others spent waiting for the straggler per profiled step, seconds.
double waited_per_step(const DiagnosisContext& ctx, const result::StragglerRow& straggler) {
  double longest = 0;
  for (const result::StragglerRow& row : ctx.result.traces.communication.stragglers)
    if (&row != &straggler) longest = std::max(longest, row.waited_us);
  double steps = 1;
  for (const result::ProcessBreakdown& process : ctx.result.traces.processes)
    steps = std::max(steps, static_cast<double>(process.steps));
  return longest / steps / 1e6;
}

std::string why_communication_bound(const DiagnosisContext& ctx, double score) {
  const result::Communication& communication = ctx.result.traces.communication;
  std::string text = fmt::format("{}; {} goes to communication that no compute hides.",
                                 busy_in_loop(ctx), share_of_job(ctx, score));
  double exposed = 0;
  double hidden = 0;
  for (const result::OverlapRow& row : communication.overlap) {
    exposed += row.exposed_us;
    hidden += row.hidden_us;
  }
  if (exposed + hidden > 0)
    text += fmt::format(" Compute hides {} of the profiled collectives' time.",
                        words::percent(hidden / (exposed + hidden)));
  else if (ctx.events_known())
    text += " Events of collectives within steps tell so.";
  else
    text += " While the GPUs were idle the nodes sent about as much as they received, as "
            "collectives do.";
  if (communication.wait_percent)
    text += fmt::format(" {} of collectives' time is waiting for the last rank to come{}.",
                        words::percent(*communication.wait_percent / 100),
                        is_mostly_waiting(communication) ? "; moving the bytes is the rest" : "");
  if (const auto* late = straggler_of(communication))
    text += fmt::format(" {} comes {} late to collectives, and the others wait for it {} per step.",
                        name_of(*late, "Rank"), to_human_duration(late->lateness_us / 1e6),
                        to_human_duration(waited_per_step(ctx, *late)));
  return text;
}

std::string next_communication_bound(const DiagnosisContext& ctx) {
  const result::Communication& communication = ctx.result.traces.communication;
  std::string text;
  if (const auto* late = straggler_of(communication))
    text = fmt::format("Find out why {} is late (its data, its GPU, a sleep or a log in its "
                       "forward pass) before anything else. ",
                       name_of(*late));
  if (is_mostly_waiting(communication))
    return text.empty() ? "Even out the work of the ranks (lengths of sequences, tables, experts): "
                          "they wait for each other, and no one of them is always last. Larger "
                          "buckets or a faster network would not help."
                        : text + "Larger buckets or a faster network would not help.";
  const bool on_host =
      std::any_of(communication.collectives.begin(), communication.collectives.end(),
                  [](const auto& row) { return row.where == "CPU"; });
  if (on_host) text += "Use the nccl backend instead of gloo: it works on the GPU. ";
  const result::CollectiveRow* largest = nullptr;
  for (const result::CollectiveRow& row : communication.collectives)
    if (largest == nullptr || row.total_us > largest->total_us) largest = &row;
  text += "Communicate less often or less: gradient accumulation, larger buckets, bf16 gradients";
  if (largest != nullptr && largest->bytes)
    text += fmt::format(" (largest now: {}, {:.1f} MB, {})", printable(largest->name),
                        static_cast<double>(*largest->bytes) / 1e6,
                        words::counted(largest->calls, "call"));
  text += ".";
  if (communication.overlap.empty())
    text += " Profile a few steps of every rank with torch.profiler to see which collective waits "
            "for whom.";
  return text;
}

} // namespace

std::optional<result::Finding> find_communication_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, Cause::communication, result::FindingKind::communication_bound);
  if (!finding) return std::nullopt;
  const result::Communication& communication = ctx.result.traces.communication;
  const auto* late = straggler_of(communication);
  finding->title = late == nullptr && is_mostly_waiting(communication)
                       ? "Ranks wait for each other in collectives"
                   : late == nullptr ? "Communication is not hidden behind compute"
                                     : fmt::format("Ranks wait for {} in collectives",
                                                   late->rank ? fmt::format("rank {}", *late->rank)
                                                              : printable(late->process));
  finding->why = why_communication_bound(ctx, finding->score);
  finding->next = next_communication_bound(ctx);
  finding->evidence.push_back({"time lost in communication", 100 * finding->score, "%"});
  if (communication.wait_percent)
    finding->evidence.push_back(
        {"collectives' time that is waiting", *communication.wait_percent, "%"});
  if (communication.skew_us)
    finding->evidence.push_back({"mean skew of collectives", *communication.skew_us / 1e6, "s"});
  if (late != nullptr) {
    finding->evidence.push_back({"lateness of the last rank", late->lateness_us / 1e6, "s"});
    finding->evidence.push_back({"wait for it per step", waited_per_step(ctx, *late), "s"});
    finding->where.push_back({"", "", late->process, 0});
  }
  return finding;
}

} // namespace debrief::findings
