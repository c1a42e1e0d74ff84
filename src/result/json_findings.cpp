#include "result/json_parts.h"
#include "result/words.h"

namespace debrief::result::parts {

namespace {

json evidence_json(const Evidence& row) {
  return {{"name", row.name}, {"value", number(row.value)}, {"unit", text_or_null(row.unit)}};
}

json place_json(const Place& place) {
  return {{"node", text_or_null(place.node)},
          {"device", text_or_null(place.device)},
          {"process", text_or_null(place.process)},
          {"share", number(place.share)}};
}

json finding_json(const Finding& finding) {
  return {{"kind", finding.kind},
          {"severity", to_text(finding.severity)},
          {"score", number(finding.score)},
          {"confidence", to_text(finding.confidence)},
          {"ground", text_or_null(finding.ground)},
          {"title", finding.title},
          {"why", finding.why},
          {"next", finding.next},
          {"evidence", list(finding.evidence, evidence_json)},
          {"windows", list(finding.windows, span_json)},
          {"window_count", finding.window_count},
          {"window_seconds", number(finding.window_seconds)},
          {"where", list(finding.where, place_json)}};
}

json waste_part_json(const WastePart& part) {
  return {{"kind", part.kind},
          {"hours", number(part.hours)},
          {"percent", number(part.percent)},
          {"money", number(part.money)}};
}

json assertion_json(const Assertion& assertion) {
  return {{"kind", assertion.kind},
          {"name", assertion.name},
          {"status", to_text(assertion.status)},
          {"expected", assertion.expected},
          {"found", assertion.found},
          {"message", assertion.message}};
}

} // namespace

json findings_json(const std::vector<Finding>& findings) {
  return list(findings, finding_json);
}

json verdict_json(const Verdict& verdict) {
  return {{"kind", verdict.kind},
          {"severity", to_text(verdict.severity)},
          {"score", number(verdict.score)},
          {"confidence", to_text(verdict.confidence)},
          {"title", verdict.title},
          {"why", verdict.why},
          {"next", verdict.next}};
}

json waste_json(const Waste& waste) {
  if (!waste.paid) return nullptr;
  const auto percent = [&](double hours) { return number(100 * hours / *waste.paid); };
  return {{"unit", waste.unit},
          {"basis", waste.basis},
          {"paid", number(waste.paid)},
          {"busy", number(waste.busy)},
          {"busy_percent", percent(waste.busy)},
          {"lost_percent", percent(*waste.paid - waste.busy - waste.unmeasured)},
          {"other", number(waste.other)},
          {"unmeasured", number(waste.unmeasured)},
          {"parts", list(waste.parts, waste_part_json)},
          {"price", number(waste.price)}};
}

json gate_json(const std::optional<Gate>& gate) {
  if (!gate) return nullptr;
  return {{"passed", gate->passed},
          {"baseline", text_or_null(gate->baseline)},
          {"assertions", list(gate->assertions, assertion_json)}};
}

} // namespace debrief::result::parts
