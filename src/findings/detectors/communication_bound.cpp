// Collectives are not hidden behind compute; a rank that comes late is named.
#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"
#include "result/step_time.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

/// "rank 1 (algo-1-554)", or the process alone.
std::string name_of(const result::StragglerRow& row) {
  std::string process = printable(row.process);
  if (!row.rank) return process;
  const std::string rank = fmt::format("rank {}", *row.rank);
  return process == rank ? rank : fmt::format("{} ({})", rank, process);
}

/// The one of the others that waits longest for the straggler; there is one.
const result::StragglerRow& longest_waiting(const result::Communication& communication,
                                            const result::StragglerRow& straggler) {
  const result::StragglerRow* longest = nullptr;
  for (const result::StragglerRow& row : communication.stragglers)
    if (&row != &straggler && (longest == nullptr || row.waited_us > longest->waited_us))
      longest = &row;
  return *longest;
}

/// Time that it waits for the straggler per profiled step, seconds.
double waited_per_step(const DiagnosisContext& ctx, const result::StragglerRow& straggler) {
  double steps = 1;
  for (const result::ProcessBreakdown& process : ctx.result.traces.processes)
    steps = std::max(steps, static_cast<double>(process.steps));
  return longest_waiting(ctx.result.traces.communication, straggler).waited_us / steps / 1e6;
}

/// Share of its collectives in which it waits for the straggler; nothing where these are not known.
std::optional<double> waited_share(const result::Communication& communication,
                                   const result::StragglerRow& straggler) {
  const result::StragglerRow& waiting = longest_waiting(communication, straggler);
  for (const result::OverlapRow& row : communication.overlap)
    if (row.process == waiting.process && row.communication_us > 0)
      return std::min(waiting.waited_us / row.communication_us, 1.0);
  return std::nullopt;
}

/// Ranks that share a GPU, which nccl refuses.
bool shares_gpus(const DiagnosisContext& ctx) {
  return ctx.ledger.of_gpus() &&
         ctx.result.traces.communication.stragglers.size() > ctx.ledger.accounts.size();
}

/// How many times faster the loop is if nobody waits for the straggler; nothing where no step is
/// known.
std::optional<double> gain_without(const DiagnosisContext& ctx,
                                   const result::StragglerRow& straggler) {
  const auto step = result::seconds_per_step(ctx.result);
  if (!step || *step <= 0) return std::nullopt;
  const double waited = std::min(waited_per_step(ctx, straggler), *step);
  return waited < *step ? std::optional{*step / (*step - waited)} : std::nullopt;
}

/// Whether some collective runs on the CPU, as with gloo.
bool is_on_host(const result::Communication& communication) {
  return std::any_of(communication.collectives.begin(), communication.collectives.end(),
                     [](const auto& row) { return row.where == "CPU"; });
}

/// What of the communication is the straggler's doing, and what the rest is.
std::string why_straggling(const DiagnosisContext& ctx, const result::StragglerRow& late) {
  const result::Communication& communication = ctx.result.traces.communication;
  const auto others = std::ssize(communication.stragglers) - 1;
  const auto step = result::seconds_per_step(ctx.result);
  std::string text =
      fmt::format("The other {} up to {} of each {} for {}",
                  others == 1 ? "rank waits" : fmt::format("{} ranks wait", count_text(others)),
                  to_human_duration(waited_per_step(ctx, late)),
                  step ? to_human_duration(*step) + " iteration" : "step", name_of(late));
  if (const auto share = waited_share(communication, late))
    text += fmt::format(", {} of {} communication", words::percent(*share),
                        others == 1 ? "its" : "their");
  text += '.';
  if (is_mostly_waiting(communication)) return text;
  return text + (!is_on_host(communication) ? " The rest moves the bytes."
                 : shares_gpus(ctx)
                     ? " The rest is gloo moving data through the CPU, between ranks "
                       "that share a GPU."
                     : " The rest is gloo moving data through the CPU.");
}

std::string why_communication_bound(const DiagnosisContext& ctx, double score) {
  const result::Communication& communication = ctx.result.traces.communication;
  std::string text = fmt::format("{} is exposed communication (no overlap with compute).",
                                 share_of_job(ctx, score));
  double exposed = 0;
  double hidden = 0;
  for (const result::OverlapRow& row : communication.overlap) {
    exposed += row.exposed_us;
    hidden += row.hidden_us;
  }
  const auto* late = straggler_of(communication);
  if (late != nullptr) return text + ' ' + why_straggling(ctx, *late);
  if (exposed + hidden > 0)
    text += fmt::format(" {} of collective time overlaps with compute.",
                        words::percent(hidden / (exposed + hidden)));
  else if (!ctx.events_known())
    text += " While the GPUs were idle, the nodes sent about as much as they received, as "
            "collectives do.";
  if (communication.wait_percent)
    text += fmt::format(" {} of collective time is waiting for the last rank{}.",
                        words::percent(*communication.wait_percent / 100),
                        is_mostly_waiting(communication) ? "; the rest moves the bytes" : "");
  return text;
}

std::vector<std::string> actions_communication_bound(const DiagnosisContext& ctx) {
  const result::Communication& communication = ctx.result.traces.communication;
  std::vector<std::string> out;
  const auto* late = straggler_of(communication);
  if (late != nullptr)
    out.push_back(fmt::format("First find out why {} is slow: check its data{} and any "
                              "sleep or logging in its forward pass.",
                              late->rank ? fmt::format("rank {}", *late->rank) : name_of(*late),
                              shares_gpus(ctx) ? "" : ", its GPU,"));
  if (is_mostly_waiting(communication)) {
    if (out.empty())
      out.emplace_back("Even out the work of the ranks (sequence lengths, tables, experts): they "
                       "wait for each other, and none of them is always last.");
    out.emplace_back("Larger buckets or a faster network would not help.");
    return out;
  }
  if (is_on_host(communication))
    out.push_back(fmt::format("{}{} the nccl backend instead of gloo: it communicates directly "
                              "between GPUs.",
                              out.empty() ? "" : "Then ",
                              shares_gpus(ctx) ? out.empty() ? "Give each rank its own GPU and use"
                                                             : "give each rank its own GPU and use"
                              : out.empty()    ? "Use"
                                               : "use"));
  if (late != nullptr && is_on_host(communication)) return out; // the two come first
  const result::CollectiveRow* largest = nullptr;
  for (const result::CollectiveRow& row : communication.collectives)
    if (largest == nullptr || row.total_us > largest->total_us) largest = &row;
  std::string text = "Communicate less: gradient accumulation, larger buckets, bf16 gradients";
  if (largest != nullptr && largest->bytes)
    text += fmt::format(" (largest now: {}, {:.1f} MB, {})", printable(largest->name),
                        static_cast<double>(*largest->bytes) / 1e6,
                        words::counted(largest->calls, "call"));
  out.push_back(text + '.');
  if (communication.overlap.empty())
    out.emplace_back("Profile a few steps of every rank with torch.profiler to see which "
                     "collective waits for whom.");
  return out;
}

std::string title_of(const result::Communication& communication) {
  const auto* late = straggler_of(communication);
  if (late == nullptr)
    return is_mostly_waiting(communication) ? "Ranks wait for each other in collectives"
                                            : "Communication does not overlap with compute";
  // Where gloo takes the larger part, it is no less the cause.
  const bool slow = is_on_host(communication) && !is_mostly_waiting(communication);
  return fmt::format("{} is a straggler{}",
                     late->rank ? fmt::format("Rank {}", *late->rank) : printable(late->process),
                     slow ? ", and gloo is slow" : "");
}

} // namespace

std::optional<result::Finding> find_communication_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::communication_bound);
  if (!finding) return std::nullopt;
  const result::Communication& communication = ctx.result.traces.communication;
  const auto* late = straggler_of(communication);
  finding->title = title_of(communication);
  finding->why = why_communication_bound(ctx, finding->score);
  finding->actions = actions_communication_bound(ctx);
  finding->evidence.push_back({"time lost in communication", 100 * finding->score, "%"});
  if (communication.wait_percent)
    finding->evidence.push_back(
        {"collective time spent waiting, all ranks", *communication.wait_percent, "%"});
  if (communication.skew_us)
    finding->evidence.push_back({"mean skew of collectives", *communication.skew_us / 1e6, "s"});
  if (late != nullptr) {
    // The first action is about the straggler, which is not all of the communication.
    if (const auto gain = gain_without(ctx, *late); gain && finding->gain)
      finding->gain = std::min(*finding->gain, *gain);
    finding->evidence.push_back(
        {"delay of the straggler per collective", late->lateness_us / 1e6, "s"});
    finding->evidence.push_back(
        {"wait for the straggler per step", waited_per_step(ctx, *late), "s"});
    finding->where.push_back({"", "", late->process, 0});
  }
  return finding;
}

} // namespace debrief::findings
