#include "findings/diagnose.h"

#include "aggregate/python_lines.h"
#include "findings/detectors/detectors.h"
#include "findings/diagnosis_context.h"
#include "findings/explained_rules.h"
#include "findings/headline.h"
#include "findings/make_ledger.h"
#include "findings/python_lines.h"
#include "findings/tensor_health.h"
#include "findings/thresholds.h"
#include "findings/trace_evidence.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

namespace debrief::findings {

namespace {

using result::Finding;

/// Whether it can explain why GPUs have little to do during training.
bool explains_little_work(const Finding& finding) {
  const auto& cause = spec_of(finding.kind).cause;
  return cause != Cause::unexplained && cause != Cause::start && cause != Cause::finish &&
         !is_about_model(finding.kind);
}

/// Causes outrank symptoms: little work of the GPUs is told by what explains most of it, where that
/// is more than what is left.
void merge_symptoms(std::vector<Finding>& findings) {
  double largest_cause = 0;
  for (const Finding& finding : findings)
    if (explains_little_work(finding)) largest_cause = std::max(largest_cause, finding.score);
  std::erase_if(findings, [&](const Finding& finding) {
    return finding.kind == result::FindingKind::underutilized && finding.score < largest_cause;
  });
}

/// There is no point in making a broken run faster. Then the most costly first; what costs nothing
/// by how severe it is.
bool comes_first(const Finding& a, const Finding& b) {
  const auto rank = [](const Finding& finding) {
    return spec_of(finding.kind).outranks ? finding.kind : result::FindingKind::unknown;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return a.score != b.score ? a.score > b.score : a.severity > b.severity;
}

/// Where nothing tells what the GPUs wait for, finding that out comes before any remedy.
void profile_first(const DiagnosisContext& ctx, std::vector<Finding>& findings) {
  const auto trace = how_to_trace(ctx);
  if (!trace) return;
  for (Finding& finding : findings)
    if (finding.kind == result::FindingKind::underutilized)
      finding.actions.insert(finding.actions.begin(), *trace);
}

std::vector<Finding> find_all(const DiagnosisContext& ctx) {
  std::vector<Finding> found;
  if (!has_too_little_data(ctx)) {
    for (const Detector find : detectors_of_time())
      if (auto finding = find(ctx)) found.push_back(std::move(*finding));
    merge_symptoms(found);
  }
  for (const Detector find : other_detectors())
    if (auto finding = find(ctx)) found.push_back(std::move(*finding));
  if (!has_too_little_data(ctx))
    if (auto finding = find_idle(ctx, found)) found.push_back(std::move(*finding));
  for (Finding& finding : found)
    name_line(ctx, finding);
  for (Finding& finding : found)
    if (finding.gain && *finding.gain >= thresholds::kMinGain)
      finding.actions.front() +=
          " " + words::gain(*finding.gain, finding.kind == result::FindingKind::underutilized);
    else
      finding.gain.reset();
  profile_first(ctx, found);
  if (auto finding = find_insufficient_data(ctx, found)) found.push_back(std::move(*finding));
  for (Finding& finding : found)
    finding.next = words::joined(finding.actions);
  std::stable_sort(found.begin(), found.end(), comes_first);
  return found;
}

/// Whether time that nothing else explains is a finding, and traces show launches in it.
bool waits_for_launches(const result::Result& result) {
  return is_launch_bound(result.traces) &&
         std::any_of(result.findings.begin(), result.findings.end(), [](const Finding& finding) {
           return finding.kind == result::FindingKind::underutilized;
         });
}

} // namespace

void diagnose(const DiagnosisInput& input, const DiagnoseOptions& options, result::Result& result) {
  Loop loop = find_loop(result, input.series);
  std::optional<ModelTrouble> trouble = input.trouble;
  if (!trouble) trouble = find_tensor_trouble(result.rules, input.job.tensors);
  if (trouble) loop.spoiled_from = trouble->time;
  const job::PythonStacks& stacks = input.job.python_stacks;
  if (result.traces.gpus.empty() && !input.processes.empty())
    loop.outside_pytorch = aggregate::share_outside_pytorch(stacks, std::array{loop.span},
                                                            thresholds::kMinStackSeconds)
                               .value_or(0);
  const Ledger ledger = make_ledger(result, input.series, loop, input.processes);
  const DiagnosisContext ctx{result,
                             input.series,
                             ledger,
                             loop,
                             input.processes,
                             input.job.metrics,
                             trouble ? &*trouble : nullptr,
                             memory_use(input.series, loop.span),
                             stacks.empty() ? nullptr : &stacks};
  result.findings = find_all(ctx);
  explain_rules(result.rules, result.findings);
  result.verdict = verdict_of(ctx, result.findings);
  result.verdict.conclusive = is_conclusive(ctx);
  result.waste = waste_of(ledger, result.findings, options.price);
  result.waste.launch_bound = waits_for_launches(result);
  result.headline = headline_of(ctx, input.steps);
}

namespace {

const char* basis_text(const Ledger& ledger) {
  switch (ledger.basis) {
  case Basis::samples:
    return ledger.by_sm_activity ? "GPU utilization and SM activity samples"
                                 : "GPU utilization samples";
  case Basis::traces:
    return "PyTorch traces";
  case Basis::recorded:
    return "percentiles of SageMaker's rule outputs";
  case Basis::steps:
    return "steps";
  case Basis::cores:
    return "CPU utilization samples";
  case Basis::logged:
    return "the training log";
  case Basis::none:
    break;
  }
  return "";
}

/// What is lost to each cause. A finding that much is idle takes what no other finding does.
std::vector<result::CauseCost> causes_of(const Ledger& ledger, const result::Waste& waste) {
  const auto has = [&](result::FindingKind kind) {
    return std::any_of(waste.parts.begin(), waste.parts.end(),
                       [kind](const result::WastePart& part) { return part.kind == kind; });
  };
  std::optional<result::FindingKind> model_kind;
  for (const result::WastePart& part : waste.parts)
    if (is_about_model(part.kind)) model_kind = part.kind;
  std::vector<result::CauseCost> out;
  for (std::size_t at = 0; at < kCauses; ++at) {
    const auto cause = static_cast<Cause>(at);
    const double hours = ledger.lost(cause) / 3600;
    if (hours <= 0) continue;
    result::CauseCost cost{cause, hours, 100 * hours / *waste.paid, std::nullopt};
    if (cause == Cause::model)
      cost.kind = model_kind;
    else if (has(result::kind_of(cause)))
      cost.kind = result::kind_of(cause);
    else if (has(result::FindingKind::idle))
      cost.kind = result::FindingKind::idle;
    out.push_back(cost);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.hours > b.hours; });
  return out;
}

/// Moves what the phases took from what was lost to what is set aside.
void set_aside_phases(result::WasteOverTime& bins) {
  std::erase_if(bins.lost, [&](const result::CauseOverTime& lost) {
    if (lost.cause != Cause::start && lost.cause != Cause::finish) return false;
    bins.set_aside.resize(lost.seconds.size());
    for (std::size_t bin = 0; bin < lost.seconds.size(); ++bin)
      bins.set_aside[bin] += lost.seconds[bin];
    return true;
  });
}

} // namespace

result::Waste waste_of(const Ledger& ledger, const std::vector<result::Finding>& findings,
                       std::optional<double> price) {
  result::Waste waste;
  const double paid = ledger.paid() / 3600;
  if (ledger.basis == Basis::none || paid <= 0) return waste;
  waste.unit = ledger.of_gpus() ? result::WasteUnit::gpu_hours : result::WasteUnit::node_hours;
  waste.basis = basis_text(ledger);
  if (ledger.without_collectives) waste.basis += ", without exposed communication";
  if (ledger.without_copies) waste.basis += ", without exposed copies";
  waste.paid = paid;
  waste.busy = ledger.busy() / 3600;
  waste.set_aside = ledger.set_aside() / 3600;
  waste.unmeasured = ledger.unmeasured() / 3600;
  waste.price = price;
  const double judged = ledger.judged() / 3600;
  double lost = std::max(0.0, paid - waste.busy - waste.set_aside - waste.unmeasured);
  for (const result::Finding& finding : findings) {
    if (finding.score <= 0) continue;
    result::WastePart part;
    part.kind = finding.kind;
    part.hours = std::min(finding.score * judged, lost);
    part.percent = 100 * part.hours / paid;
    if (price) part.money = part.hours * *price;
    lost -= part.hours;
    waste.parts.push_back(part);
  }
  waste.other = lost;
  set_percents(waste);
  waste.causes = causes_of(ledger, waste);
  waste.over_time = ledger.bins.settled(ledger.accounts);
  if (ledger.phases_aside) set_aside_phases(waste.over_time);
  return waste;
}

namespace {

using result::Verdict;

/// " 24% of the job's GPU time is lost: startup 11%, …. None of it is large enough to chase." These
/// are shares of all of it, measured or not, as the bar of causes has them.
std::string what_is_lost(const DiagnosisContext& ctx) {
  constexpr double kWorthSaying = 0.001;
  const double judged = ctx.ledger.judged() / ctx.ledger.paid();
  double idle = 0;
  double small = 0;
  std::vector<std::string> parts;
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    const double share = ctx.ledger.share(static_cast<Cause>(cause)) * judged;
    idle += share;
    if (share >= thresholds::kMinReportedShare)
      parts.push_back(
          fmt::format("{} {}", cause_words(static_cast<Cause>(cause)), words::percent(share)));
    else
      small += share;
  }
  if (!parts.empty() && small >= kWorthSaying) parts.push_back("the rest " + words::percent(small));
  if (parts.empty())
    return fmt::format(" No cause takes {} or more of the job's {}.",
                       words::percent(thresholds::kMinReportedShare), kind_of_time(ctx));
  return fmt::format(" {} of the job's {} is lost: {}. None of it is large enough to chase.",
                     words::percent(idle), kind_of_time(ctx), fmt::join(parts, ", "));
}

result::Healthy healthy(const DiagnosisContext& ctx) {
  result::Healthy verdict;
  verdict.confidence = ctx.ledger.basis == Basis::samples && ctx.events_known()
                           ? result::Confidence::high
                           : result::Confidence::medium;
  if (ctx.ledger.basis == Basis::traces &&
      static_cast<double>(ctx.result.traces.steps.size()) < thresholds::kManySteps)
    verdict.confidence = result::Confidence::low;
  const double unmeasured = ctx.ledger.unmeasured() / ctx.ledger.paid();
  if (unmeasured > thresholds::kMuchUnmeasured) verdict.confidence = result::Confidence::low;
  verdict.title = "No significant problems found";
  const std::string share = words::percent(ctx.ledger.busy() / ctx.ledger.paid());
  if (ctx.ledger.of_gpus())
    verdict.why = busy_in_loop(ctx);
  else if (ctx.ledger.basis == Basis::steps)
    verdict.why = fmt::format("The training loop takes {} of the job's time", share);
  else
    verdict.why = fmt::format("CPU cores were busy {} of the job's time", share);
  verdict.why += '.';
  verdict.why += what_is_lost(ctx);
  if (!ctx.ledger.of_gpus()) verdict.why += longest_line(ctx);
  if (unmeasured > thresholds::kMuchUnmeasured)
    verdict.why += fmt::format(" {} of the job's {} was not measured.", words::percent(unmeasured),
                               kind_of_time(ctx));
  verdict.actions = {"Save this run as a baseline with 'debrief report JOB --json baseline.json', "
                     "then gate the next run with 'debrief check JOB --baseline baseline.json'."};
  if (ctx.ledger.of_gpus() && !ctx.result.traces.empty())
    verdict.actions.emplace_back("To go faster from here, look at the largest kernels.");
  verdict.next = words::joined(verdict.actions);
  return verdict;
}

} // namespace

Verdict verdict_of(const DiagnosisContext& ctx, const std::vector<Finding>& findings) {
  const auto first = [&](const auto& holds) -> std::optional<std::size_t> {
    const auto found = std::find_if(findings.begin(), findings.end(), holds);
    if (found == findings.end()) return std::nullopt;
    return static_cast<std::size_t>(found - findings.begin());
  };
  if (const auto act =
          first([](const Finding& finding) { return finding.severity != result::Severity::info; }))
    return {act, {}};
  // Not a healthy job, though nothing of it is a warning.
  if (lost_share(ctx.ledger) > thresholds::kMaxHealthyLoss)
    if (const auto most = first([](const Finding& finding) { return finding.score > 0; }))
      return {most, {}};
  if (has_too_little_data(ctx))
    return {first([](const Finding& finding) {
              return finding.kind == result::FindingKind::insufficient_data;
            }),
            {}};
  return {{}, healthy(ctx)};
}

} // namespace debrief::findings
