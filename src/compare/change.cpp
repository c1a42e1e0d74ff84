#include "compare/change.h"

#include "compare/rank_test.h"
#include "compare/welch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace debrief::compare {

namespace {

/// A 95th percentile of a job that is run twice differs more than its median, and the longest step
/// by any amount: the fewer values decide a figure, the less its change says. The time per step has
/// all of the loop's pauses in it, and nothing that measures their noise.
double relative_tolerance(std::string_view statistic) {
  if (statistic == "p95" || statistic == "seconds_per_step" || statistic == "samples_per_second")
    return 0.10;
  if (statistic == "p99") return 0.25;
  if (statistic == "max" || statistic == "min" || statistic == "first") return 0.50;
  return 0.05;
}

/// What no reader would call a change, however small the value was.
double absolute_tolerance(const Figure& figure) {
  if (figure.unit == "%") return 1;
  if (figure.unit == "B" || figure.unit == "B/s") return 1e6;
  return 0;
}

std::string tolerance_words(const Tolerance& tolerance, const Figure& figure) {
  if (tolerance.relative * std::abs(figure.value) >= tolerance.absolute)
    return fmt::format("{:.3g}%", 100 * tolerance.relative);
  if (figure.unit == "%")
    return fmt::format("{:.3g} point{}", tolerance.absolute, tolerance.absolute == 1 ? "" : "s");
  return fmt::format("{:.6g}{}{}", tolerance.absolute, figure.unit.empty() ? "" : " ", figure.unit);
}

std::string p_words(double p) {
  return p < 0.0001 ? "p < 0.0001" : fmt::format("p = {:.2g}", p);
}

/// A document of anybody's can have more blocks than any job: too many to deal them in all ways.
bool has_few_steps(const Change& change) {
  return (change.before.few_steps || change.after.few_steps) &&
         std::max(change.before.blocks.size(), change.after.blocks.size()) <= result::kMaxBlocks;
}

/// Whether there is enough for any change to be told from noise.
bool is_enough(const Change& change) {
  const std::size_t before = change.before.blocks.size();
  const std::size_t after = change.after.blocks.size();
  return has_few_steps(change) ? min_rank_p_value(before, after) < kSignificance
                               : std::min(before, after) >= 2;
}

std::optional<double> noise_p_value(const Change& change) {
  if (!has_few_steps(change)) return drift_p_value(change.before.blocks, change.after.blocks);
  if (change.before.blocks.empty() || change.after.blocks.empty()) return std::nullopt;
  return rank_p_value(change.before.blocks, change.after.blocks);
}

ChangeKind direction(const Change& change) {
  if (change.before.better == Better::neither) return ChangeKind::changed;
  const bool rose = change.difference > 0;
  return rose == (change.before.better == Better::higher) ? ChangeKind::improved
                                                          : ChangeKind::worse;
}

void judge(Change& change, const Tolerance& tolerance) {
  const bool noisy = change.before.needs_blocks || change.after.needs_blocks;
  const double allowed =
      std::max(tolerance.relative * std::abs(change.before.value), tolerance.absolute);
  const auto say = [&](ChangeKind word, std::string reason) {
    change.word = word;
    change.reason = std::move(reason);
  };
  if (change.before.unit != change.after.unit)
    return say(ChangeKind::incomparable,
               fmt::format("in {} before, in {} after", change.before.unit, change.after.unit));
  if (change.before.of != change.after.of)
    return say(ChangeKind::incomparable,
               fmt::format("of {} before, of {} after", change.before.of, change.after.of));
  if (change.difference == 0) return say(ChangeKind::no_change, "the same");
  if (std::abs(change.difference) <= allowed)
    return say(ChangeKind::no_change, "within " + tolerance_words(tolerance, change.before));
  if (noisy && !is_enough(change))
    return say(ChangeKind::incomparable, "too few steps to rule out noise");
  if (change.p_value && *change.p_value >= kSignificance)
    return say(ChangeKind::no_change, fmt::format("within noise ({})", p_words(*change.p_value)));
  say(direction(change), change.p_value
                             ? fmt::format("more than noise ({})", p_words(*change.p_value))
                         : noisy ? "the steps do not vary at all"
                                 : "more than " + tolerance_words(tolerance, change.before));
}

} // namespace

const char* to_text(ChangeKind word) {
  switch (word) {
  case ChangeKind::improved:
    return "improved";
  case ChangeKind::worse:
    return "worse";
  case ChangeKind::no_change:
    return "no change within noise";
  case ChangeKind::incomparable:
    return "cannot be compared";
  case ChangeKind::changed:
    break;
  }
  return "changed";
}

Tolerance default_tolerance(const Figure& figure) {
  const std::string name = without_place(figure.name);
  // How long a machine takes to start, and a job to end, differs from run to run.
  if (figure.unit == "s" && name.starts_with("job.")) return {0.10, 0};
  if (is_scalar_name(name)) return {0.05, 0}; // the lowest loss is no outlier of a machine
  return {relative_tolerance(std::string_view{name}.substr(name.rfind('.') + 1)),
          absolute_tolerance(figure)};
}

Change compare(const Figure& before, const Figure& after, const Tolerance& tolerance) {
  Change change;
  change.before = before;
  change.after = after;
  change.difference = after.value - before.value;
  if (before.value != 0) change.relative = change.difference / std::abs(before.value);
  change.p_value = noise_p_value(change);
  judge(change, tolerance);
  return change;
}

} // namespace debrief::compare
