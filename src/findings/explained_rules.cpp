#include "findings/explained_rules.h"

#include "findings/thresholds.h"
#include "util/interval_set.h"

#include <vector>

namespace debrief::findings {

void explain_rules(std::span<result::RuleRow> rules, std::span<const result::Finding> findings) {
  for (result::RuleRow& rule : rules) {
    if (rule.status != result::RuleStatus::issue_found) continue;
    std::vector<TimeSpan> incidents;
    for (const result::Incident& incident : rule.incidents)
      incidents.push_back(incident.span);
    const auto held = to_set(std::move(incidents));
    const Microseconds all = total_length(held);
    if (all <= 0) continue;
    // Of several the one that covers most; of those alike the first, which costs most.
    Microseconds most = 0;
    for (const result::Finding& finding : findings) {
      if (finding.score <= 0) continue;
      const Microseconds covered = intersection_length(held, to_set(finding.windows));
      if (covered <= most ||
          static_cast<double>(covered) < thresholds::kExplainedShare * static_cast<double>(all))
        continue;
      most = covered;
      rule.explained_by = to_text(finding.kind);
    }
  }
}

} // namespace debrief::findings
