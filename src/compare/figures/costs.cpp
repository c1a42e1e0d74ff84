// What was paid for and what became of it, and how many rules, findings and troubles there are.
#include "compare/figures.h"
#include "result/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::compare {

namespace {

using result::FindingKind;

/// Time is lost to every kind but the one that says that nothing is known.
bool can_cost(FindingKind kind) {
  return kind != FindingKind::insufficient_data;
}

std::string share_name(FindingKind kind) {
  return fmt::format("waste.{}_percent", to_text(kind));
}

constexpr const char* kHours[] = {"waste.paid", "waste.busy", "waste.lost"};

/// As documents have it; 0 where one has no number.
double number_or_zero(double value) {
  return std::isfinite(value) ? result::rounded(value) : 0;
}

double count_findings(const result::Result& result, result::Severity severity) {
  return static_cast<double>(
      std::count_if(result.findings.begin(), result.findings.end(),
                    [&](const result::Finding& finding) { return finding.severity == severity; }));
}

} // namespace

void declare_waste(std::vector<Declaration>& out) {
  const auto declare = [&](const std::string& name, const std::string& label, const char* unit,
                           Better better) {
    out.push_back({name, label, unit, better, Group::waste});
  };
  declare("waste.paid", "GPU time, total", "GPU-hours", Better::lower);
  declare("waste.busy", "GPU time busy", "GPU-hours", Better::neither);
  declare("waste.lost", "GPU time lost", "GPU-hours", Better::lower);
  declare("waste.busy_percent", "Share of GPU time busy", "%", Better::higher);
  declare("waste.lost_percent", "Share of GPU time lost", "%", Better::lower);
  for (const FindingKind kind : result::kFindingKinds)
    if (can_cost(kind))
      declare(share_name(kind), fmt::format("Share of GPU time lost to {}", to_text(kind)), "%",
              Better::lower);
}

void collect_waste(const result::Result& result, Collector& out) {
  const result::Waste& waste = result.waste;
  if (waste.empty()) return;
  const char* unit = to_text(waste.unit);
  double lost = number_or_zero(waste.other);
  // All that was lost is accounted for, so what is not among the parts lost nothing.
  for (const FindingKind kind : result::kFindingKinds) {
    double percent = 0;
    for (const result::WastePart& part : waste.parts)
      if (part.kind == kind) {
        percent += number_or_zero(part.percent);
        lost += number_or_zero(part.hours);
      }
    if (can_cost(kind)) out.add_share(share_name(kind), percent, unit);
  }
  out.add("waste.paid", waste.paid);
  out.add("waste.busy", waste.busy);
  out.add_derived("waste.lost", lost);
  out.add_share("waste.busy_percent", waste.busy_percent, unit);
  out.add_share("waste.lost_percent", waste.lost_percent, unit);
  for (const char* name : kHours)
    out.set_unit(name, unit);
}

void declare_counts(std::vector<Declaration>& out) {
  const auto declare = [&](const char* name, const char* label, const char* unit = "") {
    out.push_back({name, label, unit, Better::lower, Group::counts});
  };
  declare("findings.count", "Findings");
  declare("findings.critical", "Critical findings");
  declare("findings.warning", "Warnings");
  declare("rules.triggered", "Rules triggered");
  declare("quality.skipped", "Unreadable records");
  declare("quality.damaged_files", "Damaged files");
  declare("quality.gap_seconds", "Gaps in the samples", "s");
  declare("quality.missing_nodes", "Nodes without samples");
  declare("quality.missing_ranks", "Ranks without data");
}

/// These are known of every result, so none of them is 0 for want of data: a list that is empty
/// counts nothing.
void collect_counts(const result::Result& result, Collector& out) {
  const result::DataQuality& quality = result.data_quality;
  out.add("findings.count", static_cast<double>(result.findings.size()));
  out.add("findings.critical", count_findings(result, result::Severity::critical));
  out.add("findings.warning", count_findings(result, result::Severity::warning));
  out.add("rules.triggered",
          static_cast<double>(std::count_if(
              result.rules.begin(), result.rules.end(), [](const result::RuleRow& rule) {
                return rule.status == result::RuleStatus::issue_found && !rule.is_custom();
              })));
  double skipped = 0;
  for (const result::TroubleRow& row : quality.skipped)
    skipped += static_cast<double>(row.count);
  double gap_seconds = 0;
  for (const result::NodeSampling& node : quality.nodes)
    gap_seconds += number_or_zero(node.gap_seconds);
  out.add("quality.skipped", skipped);
  out.add("quality.damaged_files", static_cast<double>(quality.damaged_files.size()));
  out.add_derived("quality.gap_seconds", gap_seconds);
  out.add("quality.missing_nodes", static_cast<double>(quality.missing_nodes.size()));
  // The list is cut; traces count all of them.
  out.add("quality.missing_ranks",
          std::max(static_cast<double>(quality.missing_ranks.size()),
                   static_cast<double>(result.traces.communication.missing_count)));
}

} // namespace debrief::compare
