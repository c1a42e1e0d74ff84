#include "rules/incidents.h"

#include "aggregate/spans.h"

#include <algorithm>

namespace debrief::rules {

void IncidentList::add(const std::string& node, const std::string& device, TimeSpan span,
                       const std::string& what) {
  spans_[{node, device, what}].push_back(span);
}

void IncidentList::move_to(result::RuleRow& row) && {
  std::map<std::pair<std::string, std::string>, std::vector<TimeSpan>> by_device;
  for (auto& [place, spans] : spans_) {
    for (const TimeSpan& span : aggregate::merged(std::move(spans))) {
      row.incidents.push_back({place.node, place.device, span, place.what});
      by_device[{place.node, place.device}].push_back(span);
    }
  }
  // Two kinds of incident may hold at once: that time counts once.
  for (auto& [device, spans] : by_device)
    row.incident_seconds +=
        in_seconds(aggregate::total_length(aggregate::merged(std::move(spans))));
  row.incident_count = static_cast<std::int64_t>(row.incidents.size());
  using result::Incident;
  if (row.incidents.size() > result::kMaxIncidents) {
    std::stable_sort(
        row.incidents.begin(), row.incidents.end(),
        [](const Incident& a, const Incident& b) { return a.span.length() > b.span.length(); });
    row.incidents.resize(result::kMaxIncidents);
  }
  std::stable_sort(
      row.incidents.begin(), row.incidents.end(),
      [](const Incident& a, const Incident& b) { return a.span.first < b.span.first; });
}

} // namespace debrief::rules
