// How many: rules, findings, and what is wrong with the data. These are known of every document, so
// none of them is 0 for want of data: a list that is empty counts nothing.
#include "compare/figures/parts.h"

#include <string_view>

namespace debrief::compare {

namespace {

using nlohmann::json;

/// Rows of a list whose `key` has this text; nothing where the document lacks the list.
std::optional<double> count_of(const json& object, std::string_view list, std::string_view key,
                               std::string_view text) {
  if (!at(object, list).is_array()) return std::nullopt;
  double count = 0;
  for (const json* row : rows_at(object, list))
    if (key.empty() || text_at(*row, key) == text) ++count;
  return count;
}

std::optional<double> size_of(const json& object, std::string_view list) {
  const json& value = at(object, list);
  if (!value.is_array()) return std::nullopt;
  return static_cast<double>(value.size());
}

std::optional<double> sum_of(const json& object, std::string_view list, std::string_view key) {
  if (!at(object, list).is_array()) return std::nullopt;
  double sum = 0;
  for (const json* row : rows_at(object, list))
    sum += number_at(*row, key).value_or(0);
  return sum;
}

} // namespace

void declare_counts(std::vector<Declaration>& out) {
  const auto declare = [&](const char* name, const char* label, const char* unit = "") {
    out.push_back({name, label, unit, Better::lower, Group::counts});
  };
  declare("findings.count", "Findings");
  declare("findings.critical", "Findings that are critical");
  declare("findings.warning", "Findings that are warnings");
  declare("rules.triggered", "Rules that found an issue");
  declare("quality.skipped", "Records that could not be read");
  declare("quality.damaged_files", "Damaged files");
  declare("quality.gap_seconds", "Gaps in the samples", "s");
  declare("quality.missing_nodes", "Nodes without samples");
  declare("quality.missing_ranks", "Ranks without data");
}

void collect_counts(const json& document, Collector& out) {
  out.add("findings.count", size_of(document, "findings"));
  out.add("findings.critical", count_of(document, "findings", "severity", "critical"));
  out.add("findings.warning", count_of(document, "findings", "severity", "warning"));
  out.add("rules.triggered", count_of(document, "rules", "status", "issue_found"));
  const json& quality = at(document, "data_quality");
  out.add("quality.skipped", sum_of(quality, "skipped", "count"));
  out.add("quality.damaged_files", size_of(quality, "damaged_files"));
  out.add("quality.gap_seconds", sum_of(quality, "nodes", "gap_seconds"));
  out.add("quality.missing_nodes", size_of(quality, "missing_nodes"));
  // The list is cut; traces count all of them.
  const auto untraced = number_at(at(at(document, "traces"), "communication"), "missing_count");
  const auto listed = size_of(quality, "missing_ranks");
  out.add("quality.missing_ranks", untraced && untraced > listed ? untraced : listed);
}

} // namespace debrief::compare
