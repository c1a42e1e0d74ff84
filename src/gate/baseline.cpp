#include "compare/change.h"
#include "compare/settings.h"
#include "gate/demands.h"
#include "result/step_time.h"
#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace debrief::gate {

namespace {

using compare::Better;
using compare::Change;
using compare::ChangeKind;
using compare::Figure;
using result::Assertion;
using result::AssertionStatus;

/// Steps alone would not tell of a wait between them.
constexpr std::string_view kIteration = "job.seconds_per_step";

constexpr std::array<std::string_view, 7> kDefaultFigures = {
    kIteration,
    "gpu.p50",
    "gpu.mean",
    "waste.lost_percent",
    "traces.communication_exposed_percent",
    "traces.gpu_busy_percent",
    "traces.peak_memory",
};

/// Durations of steps that have a measure of their noise; their tails have none.
bool is_typical_step(std::string_view name) {
  return name.starts_with("steps.") && (name.ends_with(".p50") || name.ends_with(".mean"));
}

double allowed_change(const Figure& before, const Tolerances& tolerances) {
  const compare::Tolerance tolerance = tolerances.of(before);
  return std::max(tolerance.relative * std::abs(before.value), tolerance.absolute);
}

/// What the figure may be. A share stays one: "at most 103%" would say nothing.
struct Range {
  double least = 0;
  double most = 0;
};

Range allowed_range(const Figure& before, const Tolerances& tolerances) {
  const double allowed = allowed_change(before, tolerances);
  Range range{before.value - allowed, before.value + allowed};
  if (before.unit == "%" && before.value >= 0 && before.value <= 100)
    range = {std::max(range.least, 0.0), std::min(range.most, 100.0)};
  return range;
}

/// Nothing where the figure must change in neither direction.
std::optional<double> bound_of(const Figure& before, const Tolerances& tolerances) {
  const Range range = allowed_range(before, tolerances);
  if (before.better == Better::higher) return range.least;
  if (before.better == Better::lower) return range.most;
  return std::nullopt;
}

/// "at least 85.5 % (baseline 90 %, tolerance 5 %)"
std::string bound_text(const Figure& before, const Tolerances& tolerances) {
  const Range range = allowed_range(before, tolerances);
  const std::string least = value_text(range.least, before.unit);
  const std::string most = value_text(range.most, before.unit);
  const std::string bound = before.better == Better::higher  ? "at least " + least
                            : before.better == Better::lower ? "at most " + most
                                                             : least + " to " + most;
  return fmt::format("{} (baseline {}, tolerance {})", bound, value_text(before.value, before.unit),
                     tolerances.text_of(before));
}

/// " (+8.2 %)", " (+8.2 %, within noise)"
std::string change_text(const Change& change, const compare::Tolerance& tolerance) {
  if (!change.relative) return "";
  const bool noise =
      change.word == ChangeKind::no_change &&
      std::abs(change.difference) >
          std::max(tolerance.relative * std::abs(change.before.value), tolerance.absolute);
  return fmt::format(" ({:+.1f}%{})", *change.relative * 100, noise ? ", within noise" : "");
}

AssertionStatus status_of(const Change& change) {
  switch (change.word) {
  case ChangeKind::improved:
  case ChangeKind::no_change:
    return AssertionStatus::passed;
  case ChangeKind::worse:
  case ChangeKind::changed:
    return AssertionStatus::failed;
  case ChangeKind::incomparable:
    break;
  }
  // Of another unit it is another figure; else there is too little to tell a change from noise.
  return change.before.unit == change.after.unit && change.before.of == change.after.of
             ? AssertionStatus::skipped
             : AssertionStatus::failed;
}

/// "TRAIN step, median: worse, more than noise (p = 0.003)."
std::string sentence(const Change& change) {
  const bool same = change.word == ChangeKind::no_change;
  return fmt::format("{}: {}, {}.", change.after.label,
                     same ? "no change" : compare::to_text(change.word), change.reason);
}

constexpr std::string_view kThroughput = "job.samples_per_second";

/// Then a step of one cannot be held against a step of the other, but what gets through can.
bool steps_differ_in_size(const result::Result& baseline, const result::Result& job,
                          std::span<const Figure> before, std::span<const Figure> after) {
  return compare::work_per_step(baseline, job) == compare::WorkPerStep::different &&
         find_figure(before, std::string{kThroughput}) != nullptr &&
         find_figure(after, std::string{kThroughput}) != nullptr;
}

/// Whether more than `allowed` seconds of an iteration that got slower lie outside its training
/// step. What lies within is judged by the steps, which have a measure of their noise.
bool is_between_steps(const Change& iteration, std::span<const Figure> before,
                      std::span<const Figure> after, double allowed) {
  const std::string step = "steps.train.mean";
  const Figure* const first = find_figure(before, step);
  const Figure* const second = find_figure(after, step);
  if (first == nullptr || second == nullptr) return true;
  return iteration.difference - (second->value - first->value) > allowed;
}

/// A share of profiled steps that the job lacks, since its profiler took much of them: what it does
/// without is judged by its pace.
bool only_profiler_differs(const Figure& before, std::span<const Figure> earlier,
                           const result::Result& job) {
  return compare::is_share_of_profiled_time(before.name) && result::is_profile_distorted(job) &&
         find_figure(earlier, std::string{kIteration}) != nullptr;
}

Assertion lost_figure(const Figure& before, const Tolerances& tolerances) {
  return {"baseline",
          before.name,
          AssertionStatus::failed,
          bound_text(before, tolerances),
          "no such metric",
          fmt::format("The baseline has {} but this job does not, so it cannot be compared.",
                      before.name)};
}

/// A gate never passes on what it could not judge: without step times nothing is known of speed.
void refuse_unjudged_steps(std::span<const Assertion> assertions) {
  const auto is_step = [](const Assertion& assertion) { return is_typical_step(assertion.name); };
  const auto first = std::find_if(assertions.begin(), assertions.end(), is_step);
  if (first == assertions.end()) return;
  const bool is_judged = std::any_of(first, assertions.end(), [&](const Assertion& assertion) {
    return is_step(assertion) && assertion.status != AssertionStatus::skipped;
  });
  if (!is_judged)
    throw Error(fmt::format("baseline: {} is {}, but there are too few steps to rule out noise; "
                            "record at least 5 steps of each job, or allow more with --tolerance",
                            first->name, first->found));
}

/// What cannot be told from noise beside steps that can is no pass either: a job with few steps of
/// one mode must not hide that they are slow.
void fail_unjudged(std::span<Assertion> assertions) {
  for (Assertion& assertion : assertions)
    if (assertion.status == AssertionStatus::skipped) {
      assertion.status = AssertionStatus::failed;
      assertion.message += " That is not a pass: record at least 5 steps of each job, or allow "
                           "more with --tolerance.";
    }
}

} // namespace

bool is_compared_by_default(std::string_view name) {
  if (name.find('[') != name.npos) return false; // of one node or process; the worst stands for all
  return is_typical_step(name) ||
         std::find(kDefaultFigures.begin(), kDefaultFigures.end(), name) != kDefaultFigures.end();
}

std::string baseline_name(const result::Result& baseline) {
  return baseline.job.name.empty() ? "unnamed" : baseline.job.name;
}

std::vector<Assertion> compare_with_baseline(const result::Result& baseline,
                                             const result::Result& job,
                                             const Tolerances& tolerances) {
  const std::vector<Figure> earlier = compare::figures_of(baseline);
  const std::vector<Figure> figures = compare::figures_of(job);
  const bool by_throughput = steps_differ_in_size(baseline, job, earlier, figures);
  for (const auto& [name, amount] : tolerances.figures())
    if (find_figure(earlier, name) == nullptr)
      throw Error(fmt::format("tolerance for {}: the baseline has no such metric; remove the "
                              "tolerance, or use a baseline that has it",
                              printable(name)));
  std::vector<Assertion> assertions;
  for (const Figure& before : earlier) {
    const bool is_asked_for = tolerances.figures().contains(before.name);
    const bool is_pace = is_typical_step(before.name) || before.name == kIteration;
    if ((by_throughput ? is_pace : before.name == kThroughput) && !is_asked_for) continue;
    if (!is_compared_by_default(before.name) && before.name != kThroughput && !is_asked_for)
      continue;
    const Figure* after = find_figure(figures, before.name);
    if (after == nullptr && !is_asked_for && only_profiler_differs(before, earlier, job)) continue;
    if (after == nullptr) {
      assertions.push_back(lost_figure(before, tolerances));
      continue;
    }
    Change change = compare::compare(before, *after, tolerances.of(before));
    if (before.name == kIteration && change.word == ChangeKind::worse &&
        !is_between_steps(change, earlier, figures, allowed_change(before, tolerances))) {
      change.word = ChangeKind::no_change;
      change.reason = "the waits between steps are as before, and steps are judged on their own";
    }
    assertions.push_back(
        {"baseline", before.name, status_of(change), bound_text(before, tolerances),
         value_text(after->value, after->unit) + change_text(change, tolerances.of(before)),
         sentence(change), after->value, bound_of(before, tolerances)});
  }
  refuse_unjudged_steps(assertions);
  fail_unjudged(assertions);
  if (assertions.empty())
    throw Error(fmt::format("baseline: {} has none of the compared metrics, so there is nothing to "
                            "compare; docs/ci.md lists them",
                            printable(baseline_name(baseline))));
  return assertions;
}

} // namespace debrief::gate
