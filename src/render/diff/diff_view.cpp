#include "render/diff/diff_view.h"

#include "compare/catalog.h"
#include "render/diff/diff_figures.h"
#include "render/diff/diff_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "util/text.h"
#include "util/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace debrief::render {

namespace {

using compare::Change;
using compare::Diff;
using compare::Group;
using compare::Word;
using nlohmann::json;

struct GroupWords {
  Group group;
  const char* id;
  const char* heading;
};

constexpr GroupWords kGroups[] = {{Group::utilization, "utilization", "Utilization"},
                                  {Group::steps, "steps", "Steps"},
                                  {Group::time, "time", "Time"},
                                  {Group::waste, "waste", "GPU time paid, busy and lost"},
                                  {Group::data_loading, "data-loading", "Data loading"},
                                  {Group::traces, "traces", "PyTorch traces"},
                                  {Group::memory, "memory", "Allocator memory"},
                                  {Group::counts, "counts", "Findings, rules and data in numbers"}};

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
          {{"Figure", Kind::head},
           {"Unit"},
           {"Before", Kind::number},
           {"After", Kind::number},
           {"Difference", Kind::number},
           {"Change in %", Kind::number},
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
  std::map<Word, std::int64_t> counts;
  for (const Change* change : changes)
    ++counts[change->word];
  std::vector<std::string> parts;
  for (const Word word :
       {Word::worse, Word::improved, Word::changed, Word::no_change, Word::incomparable})
    if (counts[word] > 0)
      parts.push_back(fmt::format("{} {}", grouped(counts[word]),
                                  word == Word::no_change ? "without change" : to_text(word)));
  return fmt::format("Of {}: {}.", counted(std::ssize(changes), "figure"), listed(parts));
}

void show_lone(Section& section, const Diff& diff, const GroupWords& words) {
  Table table(
      fmt::format("In one job only of {}", words.heading),
      {{"Figure", Kind::head}, {"Unit"}, {"Before", Kind::number}, {"After", Kind::number}});
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
    section.show(table.folded_away(fmt::format(
        "{} in only one of the jobs", counted(static_cast<std::int64_t>(table.size()), "figure"))));
}

json group_view(const Diff& diff, const GroupWords& words) {
  const auto changes = changes_of(diff, words.group);
  Section section;
  if (!changes.empty()) section.say(count_sentence(changes));
  if (words.group == Group::steps)
    for (const Figure& figure : step_diff_figures(diff))
      section.draw(figure);
  Table counted_table = figures_table(fmt::format("Changes of {}, largest first", words.heading));
  Table rest = figures_table(fmt::format("Without change of {}", words.heading));
  for (const Change* change : changes)
    add_row(change->word == Word::no_change ? rest : counted_table, *change);
  if (counted_table.size() > 0) section.show(counted_table, kRowsShown, "figures");
  if (rest.size() > 0)
    section.show(rest.folded_away(fmt::format(
        "{} without change", counted(static_cast<std::int64_t>(rest.size()), "figure"))));
  show_lone(section, diff, words);
  return section.empty() ? json(nullptr) : section.view();
}

std::string percent_or_unknown(const std::optional<double>& score) {
  return score ? fmt::format("{:.1f} %", 100 * *score) : std::string{kUnknown};
}

json outcome_view(const Diff& diff) {
  Section section;
  section.say(outcome_text(diff));
  Table table("The verdicts side by side",
              {{"About", Kind::head}, {"Before", Kind::words}, {"After", Kind::words}});
  const auto add = [&](const char* name, const std::string& before, const std::string& after) {
    table.add({name, printable(before), printable(after)});
  };
  add("Job", diff.before.name, diff.after.name);
  add("Verdict", kind_words(diff.before.verdict), kind_words(diff.after.verdict));
  add("Severity", diff.before.severity, diff.after.severity);
  add("GPU time lost to it", percent_or_unknown(diff.before.score),
      percent_or_unknown(diff.after.score));
  add("What", diff.before.title, diff.after.title);
  add("Why", diff.before.why, diff.after.why);
  add("Next", diff.before.next, diff.after.next);
  section.show(table.plain());
  section.draw(changes_figure(diff));
  return section.view();
}

json findings_view(const Diff& diff) {
  Section section;
  std::int64_t fresh = 0;
  std::int64_t gone = 0;
  Table table("Findings of both jobs", {{"Finding", Kind::head},
                                        {"Status"},
                                        {"Severity before"},
                                        {"Severity after"},
                                        {"Lost before in %", Kind::number},
                                        {"Lost after in %", Kind::number},
                                        {"What", Kind::words}});
  const auto severity = [](const std::optional<compare::FindingSide>& side) {
    return side ? printable(side->severity) : std::string{kUnknown};
  };
  const auto lost = [](const std::optional<compare::FindingSide>& side) {
    return side ? fmt::format("{:.1f}", 100 * side->score) : std::string{kUnknown};
  };
  for (const compare::FindingChange& change : diff.findings) {
    fresh += change.before ? 0 : 1;
    gone += change.after ? 0 : 1;
    table.add({kind_words(change.kind), finding_status(change), severity(change.before),
               severity(change.after), lost(change.before), lost(change.after),
               printable((change.after ? change.after : change.before)->title)});
  }
  if (table.size() == 0) return missing("Neither job has a finding.");
  section.say(fmt::format("{}: {} new, {} gone, {} in both.",
                          counted(static_cast<std::int64_t>(table.size()), "finding"), fresh, gone,
                          static_cast<std::int64_t>(table.size()) - fresh - gone));
  section.show(table);
  return section.view();
}

/// What a reader wants to know before all else.
json diff_keys_view(const Diff& diff) {
  json out = json::array();
  for (const char* name : {"job.seconds_per_step", "steps.train.p50", "gpu.p50",
                           "waste.lost_percent", "traces.peak_memory", "job.duration"})
    if (const Change* change = compare::find_change(diff, name))
      out.push_back({{"name", change->before.label},
                     {"value", value_text(change->after.value, change->after.unit)},
                     {"more", fmt::format("before {}; {}",
                                          value_text(change->before.value, change->before.unit),
                                          to_text(change->word))}});
  return out;
}

constexpr const char* kWorkHeadings[][3] = {{"cpu_operators", "cpu-operators", "CPU operators"},
                                            {"gpu_operators", "gpu-operators", "GPU operators"},
                                            {"kernels", "kernels", "Kernels"}};

} // namespace

json make_diff_view(const Diff& diff) {
  json sections = json::array();
  const auto add = [&](const char* id, const char* heading, json part) {
    if (!part.is_null())
      sections.push_back({{"id", id}, {"heading", heading}, {"part", std::move(part)}});
  };
  add("outcome", "Outcome", outcome_view(diff));
  add("findings", "Findings", findings_view(diff));
  for (const GroupWords& words : kGroups)
    add(words.id, words.heading, group_view(diff, words));
  for (const compare::Works& works : diff.works)
    for (const auto& [key, id, heading] : kWorkHeadings)
      if (works.id == key) add(id, heading, diff_works_view(works));
  add("rules", "Rules", diff_rules_view(diff.rules));
  const auto facts = [](const compare::Side& side) {
    return fmt::format("{} ({}, debrief {})", printable(side.name),
                       side.input.empty() ? std::string{kUnknown} : brief(side.input),
                       side.version.empty() ? std::string{kUnknown} : brief(side.version));
  };
  return {
      {"title", fmt::format("{} → {}", printable(diff.before.name), printable(diff.after.name))},
      {"version", kVersion},
      {"facts",
       {{{"name", "before"}, {"value", facts(diff.before)}},
        {{"name", "after"}, {"value", facts(diff.after)}}}},
      {"keys", diff_keys_view(diff)},
      {"sections", std::move(sections)}};
}

} // namespace debrief::render
