#include "render/diff/diff_charts.h"
#include "render/diff/diff_page.h"
#include "render/diff/diff_words.h"
#include "render/documents/markdown_text.h"
#include "render/parts/format.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

using compare::Change;
using compare::ChangeKind;
using compare::Diff;

// With the head, the verdicts and the heads of tables, these stay below kMaxDiffLines.
constexpr std::size_t kDiffMarkdownMaxFindings = 8;
constexpr std::size_t kDiffMarkdownMaxFigures = 16;
constexpr std::size_t kMaxWorkRows = 8;
constexpr std::size_t kMaxRules = 4;

/// A name can have any length; a line should not.
std::string name_of(std::string_view untrusted) {
  return markdown_text(truncate(untrusted));
}

std::string change_percent_text(const std::optional<double>& relative) {
  return relative ? fmt::format("{:+.1f}%", 100 * *relative) : std::string{kUnknown};
}

void more(std::string& out, std::size_t all, std::size_t shown, const char* noun) {
  if (all > shown)
    out += fmt::format("\n{} more {}{}.\n", all - shown, noun, all - shown == 1 ? "" : "s");
}

void add_verdicts(std::string& out, const Diff& diff) {
  out += "| | job | verdict | |\n|---|---|---|---|\n";
  const auto row = [&](const char* when, const compare::Side& side) {
    out += fmt::format("| {} | {} | {} | {} |\n", when, name_of(side.name),
                       markdown_text(result::kind_words(side.verdict_name())),
                       name_of(side.verdict ? side.verdict->title : ""));
  };
  row("before", diff.before);
  row("after", diff.after);
}

void add_findings(std::string& out, const Diff& diff) {
  if (diff.findings.empty()) return;
  out += "\n**Findings**\n\n";
  const auto lost = [](const std::optional<compare::FindingSide>& side) {
    return side ? percent_text(100 * side->score) : std::string{kUnknown};
  };
  const std::size_t shown = std::min(kDiffMarkdownMaxFindings, diff.findings.size());
  for (std::size_t at = 0; at < shown; ++at) {
    const compare::FindingChange& row = diff.findings[at];
    out += fmt::format("- {}: {}; GPU time lost {} → {}\n",
                       markdown_text(result::kind_words(row.kind)), finding_status(row),
                       lost(row.before), lost(row.after));
  }
  more(out, diff.findings.size(), shown, "finding");
}

void add_figures(std::string& out, const Diff& diff) {
  const auto changes = largest_changes(diff);
  if (changes.empty()) return;
  out += "\n**Metrics, largest change first**\n\n| metric | before | after | change | "
         "|\n|---|--:|--:|--:|---|\n";
  const std::size_t shown = std::min(kDiffMarkdownMaxFigures, changes.size());
  for (std::size_t at = 0; at < shown; ++at) {
    const Change& row = *changes[at];
    out += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_text(row.before.label),
                       value_text(row.before.value, row.before.unit),
                       value_text(row.after.value, row.after.unit),
                       change_percent_text(row.relative), to_text(row.word));
  }
  more(out, changes.size(), shown, "figure");
}

void add_workloads(std::string& out, const Diff& diff) {
  std::string rows;
  std::size_t shown = 0;
  for (const compare::Workload& workload : diff.workloads)
    for (const compare::WorkChange& row : workload.rows)
      if ((row.word == ChangeKind::worse || row.word == ChangeKind::improved) &&
          shown < kMaxWorkRows) {
        ++shown;
        rows += fmt::format("| {} | {} | {} | {} | {} |\n", name_of(row.name),
                            value_text(*row.before->each_us / 1e6, "s"),
                            value_text(*row.after->each_us / 1e6, "s"),
                            change_percent_text(row.relative), to_text(row.word));
      }
  if (rows.empty()) return;
  out += "\n**Operators and kernels, self time per step or call**\n\n"
         "| name | before | after | change | |\n|---|--:|--:|--:|---|\n" +
         rows;
}

void add_rules(std::string& out, const Diff& diff) {
  std::string rows;
  std::size_t shown = 0;
  for (const compare::RuleChange& row : diff.rules)
    if ((row.word == ChangeKind::worse || row.word == ChangeKind::improved) && shown < kMaxRules) {
      ++shown;
      rows += fmt::format("- {}: {} ({})\n", name_of(row.rule), to_text(row.word),
                          markdown_text(row.reason));
    }
  if (!rows.empty()) out += "\n**Rules**\n\n" + rows;
}

} // namespace

std::string to_markdown(const Diff& diff) {
  std::string out = fmt::format("### {} → {}\n\n{}\n\n", name_of(diff.before.name),
                                name_of(diff.after.name), markdown_text(outcome_text(diff)));
  add_verdicts(out, diff);
  add_findings(out, diff);
  add_figures(out, diff);
  add_workloads(out, diff);
  add_rules(out, diff);
  return out;
}

} // namespace debrief::render
