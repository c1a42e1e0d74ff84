#include "result/json_parts.h"

#include <utility>

namespace debrief::result::parts {

namespace {

const char* status_text(RuleStatus status) {
  switch (status) {
  case RuleStatus::issue_found:
    return "issue_found";
  case RuleStatus::no_issue:
    return "no_issue";
  case RuleStatus::not_evaluated:
    break;
  }
  return "not_evaluated";
}

json incident_json(const Incident& incident) {
  json out = span_json(incident.span);
  out["node"] = incident.node;
  out["device"] = text_or_null(incident.device);
  out["what"] = text_or_null(incident.what);
  return out;
}

json figures_json(const DeviceFigures& device) {
  json figures = json::object();
  for (const auto& [name, value] : device.figures)
    figures[name] = number(value);
  return {{"node", device.node}, {"device", device.device}, {"figures", std::move(figures)}};
}

json datapoint_part_json(const DatapointPart& part) {
  return {{"name", part.name}, {"count", part.count}, {"percent", number(part.percent)}};
}

json activity_row_json(const ActivityRow& row) {
  return {{"group", row.group},
          {"name", row.name},
          {"inside_seconds", number(row.inside_seconds)},
          {"inside_percent", number(row.inside_percent)},
          {"outside_percent", number(row.outside_percent)}};
}

json activity_json(const Activity& activity) {
  if (activity.empty()) return nullptr;
  return {{"inside_seconds", number(activity.inside_seconds)},
          {"outside_seconds", number(activity.outside_seconds)},
          {"rows", list(activity.rows, activity_row_json)}};
}

json rule_json(const RuleRow& row) {
  json parameters = json::object();
  for (const auto& [name, value] : row.parameters)
    parameters[name] = value;
  return {{"rule", row.rule},
          {"description", row.description},
          {"recommendation", row.recommendation},
          {"status", status_text(row.status)},
          {"reason", text_or_null(row.reason)},
          {"recorded_by_sagemaker", row.recorded_by_sagemaker},
          {"triggered", row.triggered},
          {"violations", row.violations},
          {"datapoints", row.datapoints},
          {"parameters", std::move(parameters)},
          {"incidents", list(row.incidents, incident_json)},
          {"incident_count", row.incident_count},
          {"incident_seconds", number(row.incident_seconds)},
          {"devices", list(row.devices, figures_json)},
          {"parts", list(row.parts, datapoint_part_json)},
          {"activity", activity_json(row.activity)}};
}

} // namespace

json rules_json(const std::vector<RuleRow>& rows) {
  return list(rows, rule_json);
}

} // namespace debrief::result::parts
