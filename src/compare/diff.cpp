#include "compare/diff.h"

#include "compare/catalog.h"
#include "compare/document.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace debrief::compare {

namespace {

using nlohmann::json;

Side side_of(const json& document) {
  const json& verdict = at(document, "verdict");
  const json& provenance = at(document, "provenance");
  return {text_at(at(document, "job"), "name"),
          text_at(provenance, "input"),
          text_at(provenance, "debrief_version"),
          text_at(verdict, "kind"),
          text_at(verdict, "severity"),
          text_at(verdict, "title"),
          text_at(verdict, "why"),
          text_at(verdict, "next"),
          number_at(verdict, "score")};
}

void diff_figures(const json& before, const json& after, Diff& out) {
  std::unordered_map<std::string, Figure> left;
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

/// Empty where a count is none.
result::Histogram histogram_of(const json& row) {
  constexpr double kMaxCounted = 9e15; // whole numbers beyond are not exact in JSON's doubles
  const json& histogram = at(row, "histogram");
  result::Histogram out;
  out.edges = numbers_at(histogram, "edges");
  for (const double count : numbers_at(histogram, "counts")) {
    if (count < 0 || count > kMaxCounted) return {};
    out.counts.push_back(static_cast<std::int64_t>(count));
  }
  return out;
}

/// The step row of each mode that has the greatest median.
std::map<std::string, const json*> slowest_rows(const json& document) {
  std::map<std::string, const json*> out;
  for (const json* row : rows_at(document, "steps")) {
    const json*& slowest = out[text_at(*row, "mode")];
    if (slowest == nullptr ||
        number_at(*row, "p50").value_or(0) > number_at(*slowest, "p50").value_or(0))
      slowest = row;
  }
  return out;
}

int rank(const std::string& severity) {
  return severity == "critical" ? 2 : severity == "warning" ? 1 : 0;
}

/// Of the verdicts: by severity, since scores are among the figures.
Word verdict_word(const Diff& diff) {
  const auto says_nothing = [](const Side& side) {
    return side.verdict.empty() || side.verdict == "insufficient_data";
  };
  if (says_nothing(diff.before) || says_nothing(diff.after)) return Word::incomparable;
  const int before = rank(diff.before.severity);
  const int after = rank(diff.after.severity);
  return before == after ? Word::no_change : before < after ? Word::worse : Word::improved;
}

} // namespace

double distance(double before, double after) {
  const double most = std::max(std::abs(before), std::abs(after));
  return most > 0 ? std::min(1.0, std::abs(after - before) / most) : 0;
}

std::pair<int, double> rank_of(const Change& change) {
  const int group = change.word == Word::incomparable ? 2 : change.word == Word::changed ? 1 : 0;
  return {group, -distance(change.before.value, change.after.value)};
}

const Change* find_change(const Diff& diff, std::string_view name) {
  const auto found = std::find_if(diff.figures.begin(), diff.figures.end(),
                                  [&](const Change& row) { return row.before.name == name; });
  return found == diff.figures.end() ? nullptr : &*found;
}

std::vector<StepShape> step_shapes(const json& before, const json& after) {
  std::vector<StepShape> out;
  const auto second = slowest_rows(after);
  for (const auto& [mode, row] : slowest_rows(before))
    if (const auto found = second.find(mode); found != second.end())
      out.push_back({mode, histogram_of(*row), histogram_of(*found->second)});
  return out;
}

Outcome outcome_of(const Diff& diff) {
  Outcome out;
  double largest = 0;
  for (const Change& change : diff.figures) {
    const bool counts = change.word == Word::improved || change.word == Word::worse;
    const double far = distance(change.before.value, change.after.value);
    if (!counts || far <= largest || change.before.name.find('[') != std::string::npos) continue;
    largest = far;
    out.largest = change.before.name;
  }

  std::vector<std::pair<std::string, Word>> candidates;
  // How long a step takes, with all that goes on around it, is what a job is run for. Where that
  // is the same, the rest decides.
  if (const Change* pace = find_change(diff, "job.seconds_per_step")) {
    candidates.emplace_back(pace->before.name, pace->word);
    if (pace->word == Word::improved || pace->word == Word::worse)
      return {pace->word, {pace->before.name}, out.largest};
  }
  for (const char* name : {"steps.train.p50", "waste.lost_percent", "gpu.p50"})
    if (const Change* change = find_change(diff, name)) candidates.emplace_back(name, change->word);
  candidates.emplace_back("verdict", verdict_word(diff));

  bool better = false;
  bool worse = false;
  bool comparable = false;
  for (const auto& [name, word] : candidates) {
    better = better || word == Word::improved;
    worse = worse || word == Word::worse;
    comparable = comparable || word != Word::incomparable;
    if (word == Word::improved || word == Word::worse) out.decided_by.push_back(name);
  }
  out.word = better && worse ? Word::changed
             : better        ? Word::improved
             : worse         ? Word::worse
             : comparable    ? Word::no_change
                             : Word::incomparable;
  return out;
}

Diff make_diff(const json& before, const json& after) {
  Diff out;
  out.before = side_of(before);
  out.after = side_of(after);
  diff_figures(before, after, out);
  out.findings = diff_findings(before, after);
  out.rules = diff_rules(before, after);
  out.works = diff_works(before, after);
  out.steps = step_shapes(before, after);
  out.outcome = outcome_of(out);
  return out;
}

} // namespace debrief::compare
