#include "render/diff/workload.h"

#include "render/diff/diff_words.h"
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "util/text.h"

#include <fmt/format.h>

#include <cmath>

namespace debrief::render {

namespace {

using compare::ChangeKind;
using compare::WorkChange;
using compare::Workload;

Cell microseconds(const std::optional<double>& us) {
  return us ? duration_cell(*us / 1e6) : Cell{kUnknown};
}

Cell calls_cell(const std::optional<double>& count) {
  return count ? count_cell(std::llround(*count)) : Cell{kUnknown};
}

struct WorkWords {
  std::string noun; ///< "kernel"
  std::string each; ///< "per step"
};

Table compared_table(const std::string& caption, const WorkWords& words) {
  return {caption,
          {{capitalized(words.noun), Kind::head},
           {"Outcome"},
           {fmt::format("Self time {} before", words.each), Kind::number},
           {fmt::format("Self time {} after", words.each), Kind::number},
           {"Change (%)", Kind::number},
           {"Total before", Kind::number},
           {"Total after", Kind::number},
           {"Calls before", Kind::number, "", true},
           {"Calls after", Kind::number, "", true},
           {"Why"}}};
}

void add_compared(Table& table, const WorkChange& row) {
  table.add({printable(row.name), to_text(row.word), microseconds(row.before->each_us),
             microseconds(row.after->each_us), relative_cell(row.relative),
             microseconds(row.before->total_us), microseconds(row.after->total_us),
             calls_cell(row.before->calls), calls_cell(row.after->calls), row.reason});
}

Table lone_table(const WorkWords& words) {
  return {fmt::format("{}s in only one job", capitalized(words.noun)),
          {{capitalized(words.noun), Kind::head},
           {"Job"},
           {"Total", Kind::number},
           {"Calls", Kind::number},
           {"Share (%)", Kind::number}}};
}

void add_lone(Table& table, const WorkChange& row) {
  const compare::WorkSide& side = row.before ? *row.before : *row.after;
  table.add({printable(row.name), row.before ? "before" : "after", microseconds(side.total_us),
             calls_cell(side.calls), two_decimals(side.percent)});
}

std::string side_status_words(const std::optional<compare::RuleSide>& side) {
  if (!side) return std::string{kUnknown};
  return result::kind_words(to_text(side->status));
}

} // namespace

Section workload_section(const Workload& workload) {
  const WorkWords words{workload.id == "kernels"         ? "kernel"
                        : workload.id == "gpu_operators" ? "GPU operator"
                                                         : "CPU operator",
                        workload.per_step ? "per step" : "per call"};
  Table changed = compared_table(
      fmt::format("{}s that changed, largest first", capitalized(words.noun)), words);
  Table same = compared_table(fmt::format("{}s, unchanged", capitalized(words.noun)), words);
  Table lone = lone_table(words);
  std::int64_t worse = 0;
  std::int64_t improved = 0;
  for (const WorkChange& row : workload.rows) {
    worse += row.word == ChangeKind::worse ? 1 : 0;
    improved += row.word == ChangeKind::improved ? 1 : 0;
    if (!row.before || !row.after)
      add_lone(lone, row);
    else
      add_compared(row.word == ChangeKind::no_change ? same : changed, row);
  }
  const auto size = [](const Table& table) { return static_cast<std::int64_t>(table.size()); };
  Section section;
  section.say(
      fmt::format("{0} in both jobs: {1} {2} longer {3}, {4} shorter; {5} {6} in only one job.",
                  plural(size(changed) + size(same), words.noun), grouped(worse),
                  worse == 1 ? "takes" : "take", words.each, grouped(improved),
                  plural(size(lone), words.noun), size(lone) == 1 ? "is" : "are"));
  if (workload.is_cut)
    section.note(fmt::format("Results list only the {}s that take the most time, so one that seems "
                             "new may just be short in the other job.",
                             words.noun));
  const auto folded = [&](const Table& table, const char* what) {
    if (size(table) > 0)
      section.show_folded(table, fmt::format("{} {}", plural(size(table), words.noun), what));
  };
  if (size(changed) > 0) section.show(changed, kRowsShown, words.noun + "s");
  folded(same, "unchanged");
  folded(lone, "in only one job");
  return section;
}

std::optional<Section> rules_section(const std::vector<compare::RuleChange>& rules) {
  if (rules.empty()) return std::nullopt;
  Table changed("Rules that changed", {{"Rule", Kind::head},
                                       {"Before"},
                                       {"After"},
                                       {"Violations before", Kind::number},
                                       {"Violations after", Kind::number},
                                       {"Outcome"},
                                       {"Why"}});
  Table same("Rules, unchanged", {{"Rule", Kind::head}, {"Before"}, {"After"}, {"Why"}});
  for (const compare::RuleChange& row : rules) {
    if (row.word == ChangeKind::no_change || row.word == ChangeKind::incomparable) {
      same.add({truncate(row.rule), side_status_words(row.before), side_status_words(row.after),
                row.reason});
      continue;
    }
    changed.add({truncate(row.rule), side_status_words(row.before), side_status_words(row.after),
                 calls_cell(row.before->violations), calls_cell(row.after->violations),
                 to_text(row.word), row.reason});
  }
  Section section;
  section.say(fmt::format("{1} of {0} changed.",
                          plural(static_cast<std::int64_t>(rules.size()), "rule"),
                          grouped(static_cast<std::int64_t>(changed.size()))));
  if (changed.size() > 0) section.show(changed);
  if (same.size() > 0)
    section.show_folded(same, fmt::format("{} unchanged or not evaluated",
                                          plural(static_cast<std::int64_t>(same.size()), "rule")));
  return section;
}

} // namespace debrief::render
