#include "compare/diff.h"

#include "result/json.h"
#include "util/seeded_hash.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace debrief::compare {

namespace {

using result::Result;

Side side_of(const Result& result) {
  return {result.job.name, result.provenance.input, result.provenance.version,
          summary_of(result.verdict, result.findings), result.waste};
}

void diff_figures(const Result& before, const Result& after, Diff& out) {
  std::unordered_map<std::string, Figure, SeededHash> left;
  std::vector<Figure> first = figures_of(before);
  for (Figure& figure : figures_of(after))
    left.emplace(figure.name, figure);
  for (const Figure& figure : first) {
    const auto found = left.find(figure.name);
    if (found == left.end()) {
      out.only_before.push_back(figure);
      continue;
    }
    out.figures.push_back(compare(figure, found->second, default_tolerance(figure)));
    left.erase(found);
  }
  for (const Figure& figure : figures_of(after))
    if (left.contains(figure.name)) out.only_after.push_back(figure);
}

/// As documents have it, so that a job and its saved result draw the same page.
result::Histogram as_saved(result::Histogram histogram) {
  for (double& edge : histogram.edges)
    edge = result::rounded(edge);
  return histogram;
}

/// The step row of each mode that has the greatest median.
std::map<std::string, const result::StepRow*> slowest_rows(const Result& result) {
  std::map<std::string, const result::StepRow*> out;
  for (const result::StepRow& row : result.steps) {
    const result::StepRow*& slowest = out[row.mode];
    if (slowest == nullptr || row.p50 > slowest->p50) slowest = &row;
  }
  return out;
}

/// Of the verdicts: by severity, since scores are among the figures.
ChangeKind verdict_word(const Diff& diff) {
  const auto says_nothing = [](const Side& side) {
    return !side.verdict || side.verdict->kind == result::FindingKind::insufficient_data;
  };
  if (says_nothing(diff.before) || says_nothing(diff.after)) return ChangeKind::incomparable;
  const result::Severity before = diff.before.verdict->severity;
  const result::Severity after = diff.after.verdict->severity;
  return before == after  ? ChangeKind::no_change
         : before < after ? ChangeKind::worse
                          : ChangeKind::improved;
}

} // namespace

double distance(double before, double after) {
  const double most = std::max(std::abs(before), std::abs(after));
  return most > 0 ? std::min(1.0, std::abs(after - before) / most) : 0;
}

std::pair<int, double> rank_of(const Change& change) {
  const int group = change.word == ChangeKind::incomparable ? 2
                    : change.word == ChangeKind::changed    ? 1
                                                            : 0;
  return {group, -distance(change.before.value, change.after.value)};
}

const Change* find_change(const Diff& diff, std::string_view name) {
  const auto found = std::find_if(diff.figures.begin(), diff.figures.end(),
                                  [&](const Change& row) { return row.before.name == name; });
  return found == diff.figures.end() ? nullptr : &*found;
}

std::vector<StepShape> step_shapes(const Result& before, const Result& after) {
  std::vector<StepShape> out;
  const auto second = slowest_rows(after);
  for (const auto& [mode, row] : slowest_rows(before))
    if (const auto found = second.find(mode); found != second.end())
      out.push_back({mode, as_saved(row->histogram), as_saved(found->second->histogram)});
  return out;
}

Outcome outcome_of(const Diff& diff) {
  Outcome out;
  double largest = 0;
  for (const Change& change : diff.figures) {
    const bool counts = change.word == ChangeKind::improved || change.word == ChangeKind::worse;
    const double far = distance(change.before.value, change.after.value);
    if (!counts || far <= largest || change.before.name.find('[') != std::string::npos) continue;
    largest = far;
    out.largest = change.before.name;
  }

  std::vector<std::pair<std::string, ChangeKind>> candidates;
  // How long a step takes, with all that goes on around it if that is known, is what a job is run
  // for. If it is the same, the rest decides; if it cannot be compared, nothing else can stand in.
  const Change* pace = nullptr;
  if (diff.work_per_step == WorkPerStep::different) // then steps cannot be held against each other
    pace = find_change(diff, "job.samples_per_second");
  for (const char* name :
       {"job.seconds_per_step", "steps.train.p50", "steps.profiled.p50", "steps.global.p50"})
    if (pace == nullptr) pace = find_change(diff, name);
  if (pace != nullptr) {
    if (pace->word != ChangeKind::no_change) return {pace->word, {pace->before.name}, out.largest};
    candidates.emplace_back(pace->before.name, pace->word);
  }
  for (const char* name : {"steps.train.p50", "waste.lost_percent", "gpu.p50"})
    if (diff.work_per_step == WorkPerStep::different &&
        std::string_view{name}.starts_with("steps."))
      continue;
    else if (const Change* change = find_change(diff, name); change != nullptr && change != pace)
      candidates.emplace_back(name, change->word);
  candidates.emplace_back("verdict", verdict_word(diff));

  bool better = false;
  bool worse = false;
  bool comparable = false;
  for (const auto& [name, word] : candidates) {
    better = better || word == ChangeKind::improved;
    worse = worse || word == ChangeKind::worse;
    comparable = comparable || word != ChangeKind::incomparable;
    if (word == ChangeKind::improved || word == ChangeKind::worse) out.decided_by.push_back(name);
  }
  out.word = better && worse ? ChangeKind::changed
             : better        ? ChangeKind::improved
             : worse         ? ChangeKind::worse
             : comparable    ? ChangeKind::no_change
                             : ChangeKind::incomparable;
  return out;
}

Diff make_diff(const Result& before, const Result& after) {
  Diff out;
  out.before = side_of(before);
  out.after = side_of(after);
  out.settings = setting_changes(before, after);
  out.work_per_step = work_per_step(before, after);
  diff_figures(before, after, out);
  out.findings = diff_findings(before, after);
  out.rules = diff_rules(before, after);
  out.workloads = diff_workload(before, after);
  out.steps = step_shapes(before, after);
  out.losses = loss_curves(before, after);
  out.outcome = outcome_of(out);
  return out;
}

} // namespace debrief::compare
