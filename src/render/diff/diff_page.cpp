#include "render/diff/diff_page.h"

#include "compare/figures.h"
#include "render/diff/diff_charts.h"
#include "render/diff/diff_head.h"
#include "render/diff/diff_words.h"
#include "render/diff/workload.h"
#include "render/page/section_html.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace debrief::render {

namespace {

using compare::Change;
using compare::ChangeKind;
using compare::Diff;
using compare::Group;
using nlohmann::json;

constexpr const char* kDiffHowToRead =
    "Before is the first job, after is the second. A metric is improved or worse if it changed by "
    "more than its tolerance. Median and mean step time must also change by more than noise. "
    "Everything else is unchanged and folded. For several nodes, processes or GPUs, the worst one "
    "counts.";

constexpr const char* kDiffHowComputed =
    "Tolerances are 5%, p95 10%, p99 25%, single values 50%, percentages one point. Median and "
    "mean step time use Welch's two-sided t-test on medians of consecutive blocks of steps; p "
    "below 0.01 is more than noise. Blocks count for fewer if a job drifts. Operators and kernels "
    "are compared by self time per step (or per call) with 10% tolerance; those below 0.5% of the "
    "total do not count.";

struct GroupWords {
  Group group;
  const char* id;
  const char* heading;
};

constexpr GroupWords kGroups[] = {{Group::utilization, "utilization", "Utilization"},
                                  {Group::steps, "steps", "Steps"},
                                  {Group::time, "time", "Time"},
                                  {Group::waste, "waste", "GPU time"},
                                  {Group::data_loading, "data-loading", "Data loading"},
                                  {Group::traces, "traces", "PyTorch traces"},
                                  {Group::memory, "memory", "Allocator memory"},
                                  {Group::curves, "curves", "Training curves"},
                                  {Group::counts, "counts", "Findings, rules and data"}};

Group group_of(const compare::Figure& figure) {
  const compare::Declaration* declared = compare::find_declaration(figure.name);
  return declared == nullptr ? Group::counts : declared->group;
}

bool has_place(const std::string& name) {
  return name.find('[') != std::string::npos;
}

/// Names without place of which both jobs have several places: of a single node or process, the
/// figure without a place says it all.
std::set<std::string> names_with_places(const Diff& diff) {
  std::map<std::string, int> places;
  for (const Change& change : diff.figures)
    if (has_place(change.before.name)) ++places[compare::without_place(change.before.name)];
  std::set<std::string> out;
  for (const auto& [name, count] : places)
    if (count > 1) out.insert(name);
  return out;
}

std::vector<const Change*> changes_of(const Diff& diff, Group group) {
  const std::set<std::string> placed = names_with_places(diff);
  std::vector<const Change*> out;
  for (const Change& change : diff.figures) {
    if (group_of(change.before) != group) continue;
    if (has_place(change.before.name) &&
        !placed.contains(compare::without_place(change.before.name)))
      continue;
    out.push_back(&change);
  }
  std::stable_sort(out.begin(), out.end(), [](const Change* a, const Change* b) {
    return compare::rank_of(*a) < compare::rank_of(*b);
  });
  return out;
}

Table figures_table(const std::string& caption) {
  return {caption,
          {{"Metric", Kind::head},
           {"Unit"},
           {"Before", Kind::number},
           {"After", Kind::number},
           {"Difference", Kind::number},
           {"Change (%)", Kind::number},
           {"Outcome"},
           {"Why"}}};
}

void add_row(Table& table, const Change& change) {
  const std::string& unit = change.before.unit;
  Cell name{label_of(change.before)};
  name.title = change.before.name;
  table.add({name, unit, value_cell(change.before.value, unit),
             value_cell(change.after.value, unit), difference_cell(change.difference, unit),
             relative_cell(change.relative), to_text(change.word), change.reason});
}

std::string count_sentence(const std::vector<const Change*>& changes) {
  std::map<ChangeKind, std::int64_t> counts;
  for (const Change* change : changes)
    ++counts[change->word];
  std::vector<std::string> parts;
  for (const ChangeKind word : {ChangeKind::worse, ChangeKind::improved, ChangeKind::changed,
                                ChangeKind::no_change, ChangeKind::incomparable})
    if (counts[word] > 0)
      parts.push_back(fmt::format("{} {}", grouped(counts[word]),
                                  word == ChangeKind::no_change ? "unchanged" : to_text(word)));
  return fmt::format("{}: {}.", plural(std::ssize(changes), "metric"), join_and(parts));
}

void show_lone(Section& section, const Diff& diff, const GroupWords& words) {
  Table table(
      fmt::format("Only in one job of {}", words.heading),
      {{"Metric", Kind::head}, {"Unit"}, {"Before", Kind::number}, {"After", Kind::number}});
  const auto add = [&](const std::vector<compare::Figure>& figures, bool is_before) {
    for (const compare::Figure& figure : figures) {
      if (group_of(figure) != words.group || has_place(figure.name)) continue;
      const Cell value = value_cell(figure.value, figure.unit);
      table.add({figure.label, figure.unit, is_before ? value : Cell{kUnknown},
                 is_before ? Cell{kUnknown} : value});
    }
  };
  add(diff.only_before, true);
  add(diff.only_after, false);
  if (table.size() > 0)
    section.show_folded(table,
                        fmt::format("{} in only one job",
                                    plural(static_cast<std::int64_t>(table.size()), "metric")));
}

std::optional<Section> group_section(const Diff& diff, const GroupWords& words) {
  const auto changes = changes_of(diff, words.group);
  Section section;
  if (!changes.empty()) section.say(count_sentence(changes));
  if (words.group == Group::steps) {
    for (const Chart& figure : step_diff_charts(diff))
      section.draw(figure);
    if (diff.steps.size() > kMaxStepCharts)
      section.say(fmt::format("Charts show {} of {} modes.", kMaxStepCharts, diff.steps.size()));
  }
  if (words.group == Group::curves) section.draw(loss_diff_chart(diff));
  Table counted_table = figures_table(fmt::format("Changes in {}, largest first", words.heading));
  Table rest = figures_table(fmt::format("Unchanged in {}", words.heading));
  for (const Change* change : changes)
    add_row(change->word == ChangeKind::no_change ? rest : counted_table, *change);
  if (counted_table.size() > 0) section.show(counted_table, kRowsShown, "metrics");
  if (rest.size() > 0)
    section.show_folded(
        rest,
        fmt::format("{} unchanged", plural(static_cast<std::int64_t>(rest.size()), "metric")));
  show_lone(section, diff, words);
  if (section.empty()) return std::nullopt;
  return section;
}

std::string percent_or_unknown(const std::optional<double>& score) {
  return score ? percent_text(100 * *score) : std::string{kUnknown};
}

Section outcome_section(const Diff& diff) {
  Section section;
  section.say(decided_text(diff));
  Table table("Verdicts", {{"About", Kind::head}, {"Before", Kind::words}, {"After", Kind::words}});
  const auto add = [&](const char* name, const std::string& before, const std::string& after) {
    table.add({name, printable(before), printable(after)});
  };
  add("Job", diff.before.name, diff.after.name);
  using result::VerdictSummary;
  const VerdictSummary before = diff.before.verdict.value_or(VerdictSummary{});
  const VerdictSummary after = diff.after.verdict.value_or(VerdictSummary{});
  add("Verdict", result::kind_words(diff.before.verdict_name()),
      result::kind_words(diff.after.verdict_name()));
  const auto severity = [](const compare::Side& side) {
    return side.verdict ? to_text(side.verdict->severity) : "";
  };
  const auto score = [](const compare::Side& side) {
    return side.verdict ? std::optional(side.verdict->score) : std::nullopt;
  };
  add("Severity", severity(diff.before), severity(diff.after));
  add("Lost to it", percent_or_unknown(score(diff.before)), percent_or_unknown(score(diff.after)));
  add("What", before.title, after.title);
  add("Why", before.why, after.why);
  add("Next", before.next, after.next);
  section.show(table.plain());
  section.draw(changes_chart(diff));
  return section;
}

Section findings_section(const Diff& diff) {
  Section section;
  std::int64_t fresh = 0;
  std::int64_t gone = 0;
  Table table("Findings of both jobs", {{"Finding", Kind::head},
                                        {"Status"},
                                        {"Severity before"},
                                        {"Severity after"},
                                        {"Lost before (%)", Kind::number},
                                        {"Lost after (%)", Kind::number},
                                        {"What", Kind::words}});
  const auto severity = [](const std::optional<compare::FindingSide>& side) {
    return side ? std::string{to_text(side->severity)} : std::string{kUnknown};
  };
  const auto lost = [](const std::optional<compare::FindingSide>& side) {
    return side ? fmt::format("{:.1f}", 100 * side->score) : std::string{kUnknown};
  };
  for (const compare::FindingChange& change : diff.findings) {
    fresh += change.before ? 0 : 1;
    gone += change.after ? 0 : 1;
    table.add({result::kind_words(change.kind), finding_status(change), severity(change.before),
               severity(change.after), lost(change.before), lost(change.after),
               printable((change.after ? change.after : change.before)->title)});
  }
  if (table.size() == 0) return missing("Neither job has a finding.");
  section.say(fmt::format("{}: {} new, {} gone, {} in both.",
                          plural(static_cast<std::int64_t>(table.size()), "finding"), fresh, gone,
                          static_cast<std::int64_t>(table.size()) - fresh - gone));
  section.show(table);
  return section;
}

constexpr const char* kWorkHeadings[][3] = {{"cpu_operators", "cpu-operators", "CPU operators"},
                                            {"gpu_operators", "gpu-operators", "GPU operators"},
                                            {"kernels", "kernels", "Kernels"}};

} // namespace

std::string to_html(const Diff& diff) {
  SectionList sections;
  SectionFrame outcome{.id = "outcome",
                       .heading = "Outcome",
                       .how_to_read = kDiffHowToRead,
                       .how_computed = kDiffHowComputed};
  sections.add(std::move(outcome), outcome_section(diff));
  const auto add = [&](const char* id, const char* heading, std::optional<Section> content) {
    if (content) sections.add({.id = id, .heading = heading}, *std::move(content));
  };
  add("findings", "Findings", findings_section(diff));
  for (const GroupWords& words : kGroups)
    add(words.id, words.heading, group_section(diff, words));
  for (const compare::Workload& workload : diff.workloads)
    for (const auto& [key, id, heading] : kWorkHeadings)
      if (workload.id == key) add(id, heading, workload_section(workload));
  add("rules", "Rules", rules_section(diff.rules));
  json head = diff_head(diff, sections.placeholders());
  return std::move(sections).page("diff.html", std::move(head), "Comparison");
}

} // namespace debrief::render
