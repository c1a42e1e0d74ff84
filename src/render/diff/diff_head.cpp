#include "render/diff/diff_head.h"

#include "chart/spark.h"
#include "chart/strip.h"
#include "render/diff/diff_words.h"
#include "render/parts/cause_words.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/status_badge.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace debrief::render {

namespace {

using compare::Change;
using compare::ChangeKind;
using compare::Diff;
using nlohmann::json;

constexpr std::array kHeadlines = {"job.seconds_per_step", "steps.train.p50",    "gpu.p50",
                                   "waste.lost_percent",   "traces.peak_memory", "job.duration"};
constexpr double kManyTimes = 10; ///< from here on a change is a factor, not a percentage
constexpr std::size_t kFindingsShown = 4;

/// "28", "2.6": a factor in as many digits as a reader takes in.
std::string factor_text(double factor) {
  return factor < 9.95 ? fmt::format("{:.1f}", factor) : count_text(std::llround(factor));
}

bool is_judged(const Change& change) {
  return change.word == ChangeKind::improved || change.word == ChangeKind::worse;
}

/// How grave an outcome is; a better one is as good as a healthy job.
const StatusBadge& badge_for(ChangeKind word) {
  return word == ChangeKind::worse      ? badge_of(result::Severity::warning)
         : word == ChangeKind::improved ? badge_of(result::VerdictSummary{})
                                        : badge_of(result::Severity::info);
}

const char* outcome_word(ChangeKind word) {
  switch (word) {
  case ChangeKind::improved:
    return "Better";
  case ChangeKind::worse:
    return "Worse";
  case ChangeKind::changed:
    return "Mixed";
  case ChangeKind::no_change:
    return "No change";
  case ChangeKind::incomparable:
    break;
  }
  return "Not comparable";
}

/// The speed that counts: of an iteration, or where waits are not known of a step.
std::optional<std::string> speed_text(const Diff& diff, const std::string& before,
                                      const std::string& after) {
  for (const auto& [name, what] :
       {std::pair{"job.seconds_per_step", "iteration"}, std::pair{"steps.train.p50", "step"}}) {
    const Change* change = compare::find_change(diff, name);
    if (change == nullptr || !is_judged(*change) || change->before.value <= 0 ||
        change->after.value <= 0)
      continue;
    const bool faster = change->after.value < change->before.value;
    const double factor = faster ? change->before.value / change->after.value
                                 : change->after.value / change->before.value;
    return factor < 1.1
               ? fmt::format("{} is {} {} per {} than {}.", after, percent_text(100 * (factor - 1)),
                             faster ? "faster" : "slower", what, before)
               : fmt::format("{} is {}× {} per {} than {}.", after, factor_text(factor),
                             faster ? "faster" : "slower", what, before);
  }
  return std::nullopt;
}

json headline_rows(const Diff& diff, Placeholders& placeholders) {
  json out = json::array();
  for (const char* name : kHeadlines) {
    const Change* change = compare::find_change(diff, name);
    if (change == nullptr || change->before.value < 0 || change->after.value < 0) continue;
    const std::string before = value_text(change->before.value, change->before.unit);
    const std::string after = value_text(change->after.value, change->after.unit);
    const std::string words = change_words(*change);
    const StatusBadge& badge = badge_for(change->word);
    const chart::Color color = is_judged(*change) ? badge.color : chart::kRest;
    out.push_back({{"name", change->before.label},
                   {"before", keep_units_together(before)},
                   {"after", keep_units_together(after)},
                   {"words", keep_units_together(words)},
                   {"outcome", to_text(change->word)},
                   {"class", is_judged(*change) ? badge.css : "plain"},
                   {"svg", placeholders.keep(chart::dumbbell(
                               fmt::format("{}: before {}, after {}, {} ({})", change->before.label,
                                           before, after, words, to_text(change->word)),
                               change->before.value, change->after.value, color))}});
  }
  return out;
}

/// Both jobs' time by cause, each a bar of its own whole; a cause has one color in both.
json time_bars(const Diff& diff, Placeholders& placeholders) {
  constexpr double kHeight = 22;
  json rows = json::array();
  json legend = json::array();
  std::vector<std::string> listed;
  for (const auto& [name, side] :
       {std::pair{"Before", &diff.before}, std::pair{"After", &diff.after}}) {
    const ShareBar bar = share_bar(side->waste, name);
    if (bar.parts.empty()) continue;
    rows.push_back({{"name", name},
                    {"total", keep_units_together(waste_time(side->waste, *side->waste.paid))},
                    {"svg", placeholders.keep(chart::strip_bar(bar.label, bar.parts, kHeight))}});
    for (const TimeShare& share : time_shares(side->waste)) {
      if (std::find(listed.begin(), listed.end(), share.name) != listed.end()) continue;
      listed.push_back(share.name);
      const chart::Color color = chart::color_of(share.meaning);
      legend.push_back({{"fill", color.light}, {"class", color.name}, {"words", share.name}});
    }
  }
  return rows.empty()
             ? json(nullptr)
             : json{{"title", where_it_went(diff.after.waste)}, {"rows", rows}, {"legend", legend}};
}

json finding_rows(const Diff& diff) {
  json out = json::array();
  for (const compare::FindingChange& change : diff.findings) {
    if (change.before && change.after) continue;
    if (out.size() == kFindingsShown) break;
    const compare::FindingSide& side = change.after ? *change.after : *change.before;
    const StatusBadge& badge =
        change.after ? badge_of(side.severity) : badge_of(result::VerdictSummary{});
    out.push_back(
        {{"word", change.after ? "New" : "Gone"},
         {"class", badge.css},
         {"path", badge.path},
         {"fill", badge.color.light},
         {"title", keep_units_together(printable(side.title))},
         {"share", side.score > 0 ? json(percent_text(100 * side.score)) : json(nullptr)}});
  }
  return out;
}

} // namespace

std::string answer_text(const Diff& diff) {
  const auto [before, after] = names_of(diff);
  if (const auto speed = speed_text(diff, before, after)) return *speed;
  switch (diff.outcome.word) {
  case ChangeKind::improved:
    return fmt::format("{} is better than {}.", after, before);
  case ChangeKind::worse:
    return fmt::format("{} is worse than {}.", after, before);
  case ChangeKind::changed:
    return fmt::format("{} is better than {} in some metrics and worse in others.", after, before);
  case ChangeKind::no_change:
    return fmt::format("{} performs like {}, within noise.", after, before);
  case ChangeKind::incomparable:
    break;
  }
  return fmt::format("{} and {} have no metric in common to compare.", after, before);
}

std::string change_words(const Change& change) {
  if (change.word == ChangeKind::no_change) return "no change";
  const double before = change.before.value;
  const double after = change.after.value;
  if (change.before.unit == "%")
    return fmt::format("{}{:.3g} points", after < before ? "−" : "+", std::abs(after - before));
  if (before <= 0) return after <= 0 ? "no change" : "from 0";
  const double factor = after / before;
  if (factor >= kManyTimes) return fmt::format("×{}", factor_text(factor));
  if (factor <= 1 / kManyTimes)
    return after <= 0 ? "to 0" : fmt::format("÷{}", factor_text(before / after));
  return fmt::format("{}{}", factor < 1 ? "−" : "+", percent_text(100 * std::abs(factor - 1)));
}

json diff_head(const Diff& diff, Placeholders& placeholders) {
  const auto facts = [](const compare::Side& side) {
    return fmt::format("{} ({}, debrief {})", printable(side.name),
                       side.input.empty() ? std::string{kUnknown} : truncate(side.input),
                       side.version.empty() ? std::string{kUnknown} : truncate(side.version));
  };
  const StatusBadge& badge = badge_for(diff.outcome.word);
  const std::string settings = settings_text(diff);
  return {
      {"title", fmt::format("{} → {}", printable(diff.before.name), printable(diff.after.name))},
      {"version", kVersion},
      {"answer",
       {{"word", outcome_word(diff.outcome.word)},
        {"class", badge.css},
        {"path", badge.path},
        {"fill", badge.color.light},
        {"text", keep_units_together(answer_text(diff))},
        {"findings", finding_rows(diff)}}},
      {"settings", settings.empty() ? json(nullptr) : json(keep_units_together(settings))},
      {"headlines", headline_rows(diff, placeholders)},
      {"times", time_bars(diff, placeholders)},
      {"facts",
       {{{"name", "before"}, {"value", facts(diff.before)}},
        {{"name", "after"}, {"value", facts(diff.after)}}}}};
}

} // namespace debrief::render
