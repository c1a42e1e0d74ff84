// What is concluded of the job, as JSON: rules, findings, the verdict, waste, the gate.
#include "result/json_io.h"

#include <algorithm>
#include <string_view>

namespace debrief::result {

template <typename Io>
void describe(Io& io, Ref<Io, Incident> incident) {
  describe(io, incident.span);
  io("node", incident.node);
  io.text_or_null("device", incident.device);
  io.text_or_null("what", incident.what);
}

template <typename Io>
void describe(Io& io, Ref<Io, DeviceFigures> device) {
  io("node", device.node);
  io("device", device.device);
  io("figures", device.figures);
}

template <typename Io>
void describe(Io& io, Ref<Io, DatapointPart> part) {
  io("name", part.name);
  io("count", part.count);
  io("percent", part.percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, ActivityRow> row) {
  io("group", row.group);
  io("name", row.name);
  io("inside_seconds", row.inside_seconds);
  io("inside_percent", row.inside_percent);
  io("outside_percent", row.outside_percent);
}

template <typename Io>
void describe(Io& io, Ref<Io, Activity> activity) {
  io("inside_seconds", activity.inside_seconds);
  io("outside_seconds", activity.outside_seconds);
  io("rows", activity.rows);
}

template <typename Io>
void describe(Io& io, Ref<Io, TensorFinding> found) {
  io("tensor", found.tensor);
  io("condition", found.condition);
  io("relation", found.relation);
  io.digits("value", found.value);
  io.digits("threshold", found.threshold);
  io("steps", found.steps);
  io("step_count", found.step_count);
  io("unbroken_from", found.unbroken_from);
  io("unbroken_count", found.unbroken_count);
}

template <typename Io>
void describe(Io& io, Ref<Io, ModelSteps> model) {
  io("steps", model.steps);
  io("step_count", model.step_count);
  io("tensors", model.tensors);
  io("tensor_count", model.tensor_count);
  io("tensors_looked_at", model.tensors_looked_at);
}

template <typename Io>
void describe(Io& io, Ref<Io, RuleRow> row) {
  io("rule", row.rule);
  io("description", row.description);
  io("recommendation", row.recommendation);
  io("status", row.status);
  io.text_or_null("reason", row.reason);
  io.if_set("severity", row.severity);
  io("recorded_by_sagemaker", row.recorded_by_sagemaker);
  io("triggered", row.triggered);
  io("violations", row.violations);
  io("datapoints", row.datapoints);
  io("parameters", row.parameters);
  io("incidents", row.incidents);
  io("incident_count", row.incident_count);
  io("incident_seconds", row.incident_seconds);
  io("clock_seconds", row.clock_seconds);
  io.text_or_null("explained_by", row.explained_by);
  io("devices", row.devices);
  io("parts", row.parts);
  io.unless_empty("activity", row.activity);
  io.if_any("model", row.model);
}

template <typename Io>
void describe(Io& io, Ref<Io, Evidence> row) {
  io("name", row.name);
  io("value", row.value);
  io.text_or_null("unit", row.unit);
}

template <typename Io>
void describe(Io& io, Ref<Io, Place> place) {
  io.text_or_null("node", place.node);
  io.text_or_null("device", place.device);
  io.text_or_null("process", place.process);
  io("share", place.share);
}

template <typename Io>
void describe(Io& io, Ref<Io, CodeLine> line) {
  io("function", line.function);
  io("file", line.file);
  io("line", line.line);
  io("share", line.share);
}

template <typename Io>
void describe(Io& io, Ref<Io, Finding> finding) {
  io("kind", finding.kind);
  io("severity", finding.severity);
  io("score", finding.score);
  io("confidence", finding.confidence);
  io.text_or_null("ground", finding.ground);
  io("title", finding.title);
  io("why", finding.why);
  io("next", finding.next);
  io("actions", finding.actions);
  io("gain", finding.gain);
  io("evidence", finding.evidence);
  io("windows", finding.windows);
  io("window_count", finding.window_count);
  io("window_seconds", finding.window_seconds);
  io("where", finding.where);
  io("line", finding.line);
}

template <typename Io>
void describe(Io& io, Ref<Io, WastePart> part) {
  io("kind", part.kind);
  io("hours", part.hours);
  io("percent", part.percent);
  io("money", part.money);
}

template <typename Io>
void describe(Io& io, Ref<Io, CauseCost> cost) {
  io("cause", cost.cause);
  io("hours", cost.hours);
  io("percent", cost.percent);
  io("kind", cost.kind);
}

template <typename Io>
void describe(Io& io, Ref<Io, CauseOverTime> lost) {
  io("cause", lost.cause);
  io("seconds", lost.seconds);
}

template <typename Io>
void describe(Io& io, Ref<Io, WasteOverTime> bins) {
  io.time("start", bins.span.first);
  io.time("end", bins.span.last);
  io("bin_seconds", bins.bin_seconds);
  io("busy", bins.busy);
  io("lost", bins.lost);
  io("set_aside", bins.set_aside);
  io("unmeasured", bins.unmeasured);
}

template <typename Io>
void describe(Io& io, Ref<Io, Waste> waste) {
  io("unit", waste.unit);
  io("basis", waste.basis);
  io("paid", waste.paid);
  io("busy", waste.busy);
  io("busy_percent", waste.busy_percent);
  io("lost_percent", waste.lost_percent);
  io("other", waste.other);
  io("set_aside", waste.set_aside);
  io("unmeasured", waste.unmeasured);
  io("parts", waste.parts);
  io("price", waste.price);
  io("causes", waste.causes);
  io.unless_empty("over_time", waste.over_time);
  io("launch_bound", waste.launch_bound);
}

template <typename Io>
void describe(Io& io, Ref<Io, IterationTimes> times) {
  io("mean", times.mean);
  io("p50", times.p50);
  io("p95", times.p95);
  io("count", times.count);
  io("profiled", times.profiled);
}

template <typename Io>
void describe(Io& io, Ref<Io, StepTimes> times) {
  io("p50", times.p50);
  io("p95", times.p95);
}

template <typename Io>
void describe(Io& io, Ref<Io, PeakMemory> memory) {
  io("percent", memory.percent);
  io("bytes", memory.bytes);
  io("capacity", memory.capacity);
}

template <typename Io>
void describe(Io& io, Ref<Io, Headline> headline) {
  io("busy_in_loop", headline.busy_in_loop);
  io("iteration", headline.iteration);
  io("step", headline.step);
  io("gpu_memory", headline.gpu_memory);
  io("cores_busy", headline.cores_busy);
  io("cores", headline.cores);
  io("startup", headline.startup);
}

template <typename Io>
void describe(Io& io, Ref<Io, Assertion> assertion) {
  io("kind", assertion.kind);
  io("name", assertion.name);
  io("status", assertion.status);
  io("expected", assertion.expected);
  io("found", assertion.found);
  io("message", assertion.message);
  io("value", assertion.value);
  io("bound", assertion.bound);
}

template <typename Io>
void describe(Io& io, Ref<Io, Gate> gate) {
  io("passed", gate.passed);
  io.text_or_null("baseline", gate.baseline);
  io("assertions", gate.assertions);
}

namespace {

/// The verdict as documents have it: with the text of its finding, so that a reader of the JSON
/// need not look that up.
struct VerdictDocument {
  std::string kind;
  std::optional<std::int64_t> finding; ///< absent in a healthy job
  Severity severity = Severity::info;
  double score = 0;
  Confidence confidence = Confidence::low;
  std::string title;
  std::string why;
  std::string next;
  std::vector<std::string> actions;
  bool conclusive = true;
};

template <typename Io>
void describe(Io& io, Ref<Io, VerdictDocument> verdict) {
  io("kind", verdict.kind);
  io("finding", verdict.finding);
  io("severity", verdict.severity);
  io("score", verdict.score);
  io("confidence", verdict.confidence);
  io("title", verdict.title);
  io("why", verdict.why);
  io("next", verdict.next);
  io("actions", verdict.actions);
  io("conclusive", verdict.conclusive);
}

void describe_verdict(Writer& io, const Result& result) {
  VerdictDocument document;
  if (const auto verdict = summary_of(result.verdict, result.findings)) {
    document = {name_of(*verdict),   {},
                verdict->severity,   verdict->score,
                verdict->confidence, verdict->title,
                verdict->why,        verdict->next,
                verdict->actions,    result.verdict.conclusive};
    if (verdict->kind) document.finding = static_cast<std::int64_t>(*result.verdict.finding);
  }
  io("verdict", document);
}

/// Documents of 0.1.0 do not say which finding it is: it is the first of its kind.
void describe_verdict(Reader& io, Result& result) {
  VerdictDocument document;
  io("verdict", document);
  result.verdict.conclusive = document.conclusive;
  if (document.kind == kHealthyName) {
    result.verdict.healthy =
        Healthy{document.confidence, document.title, document.why, document.next, document.actions};
    return;
  }
  const auto count = std::ssize(result.findings);
  if (document.finding && *document.finding >= 0 && *document.finding < count) {
    result.verdict.finding = static_cast<std::size_t>(*document.finding);
    return;
  }
  if (document.kind.empty()) return; // there is none, though a finding may be of a kind unknown
  const FindingKind kind = from_text<FindingKind>(document.kind).value_or(FindingKind::unknown);
  const auto found = std::find_if(result.findings.begin(), result.findings.end(),
                                  [&](const Finding& finding) { return finding.kind == kind; });
  if (found != result.findings.end())
    result.verdict.finding = static_cast<std::size_t>(found - result.findings.begin());
}

} // namespace

template <typename Io>
void describe_conclusions(Io& io, Ref<Io, Result> result) {
  io("rules", result.rules);
  io("findings", result.findings);
  describe_verdict(io, result);
  io.unless_empty("waste", result.waste);
  io("headline", result.headline);
  io("gate", result.gate);
}

template void describe_conclusions(Writer& io, const Result& result);
template void describe_conclusions(Reader& io, Result& result);

} // namespace debrief::result
