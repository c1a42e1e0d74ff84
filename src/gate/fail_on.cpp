#include "gate/demands.h"
#include "result/main_curves.h"
#include "rules/rule.h"
#include "util/error.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace debrief::gate {

namespace {

using result::Assertion;
using result::AssertionStatus;
using result::Severity;

constexpr auto kUndecided = result::FindingKind::insufficient_data;

constexpr std::array kSeverities = {Severity::info, Severity::warning, Severity::critical};

std::string without_spaces(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

/// What stands after "severity": ">=warning", ">info".
FailOn parse_severity(const std::string& text, std::string_view condition,
                      const std::string& where) {
  const bool from = condition.starts_with(">=");
  const bool above = !from && condition.starts_with(">");
  const std::string_view word = condition.substr(from ? 2 : above ? 1 : 0);
  std::vector<std::string> words;
  for (const Severity severity : kSeverities) {
    words.emplace_back(result::to_text(severity));
    if (word != words.back() || !(from || above)) continue;
    if (above && severity == Severity::critical)
      throw Error(
          fmt::format("{}: nothing is more severe than critical; write severity>=critical", where));
    const auto rank = static_cast<std::size_t>(severity) + (above ? 1 : 0);
    return {text, FailOn::What::severity, "", {}, kSeverities[rank]};
  }
  throw Error(fmt::format(
      "{}: not a severity{}; write severity>=info, severity>=warning or severity>=critical", where,
      did_you_mean(word, words)));
}

/// "input_bound, critical: The GPU waits for data"
std::string described(const result::Finding& finding) {
  return fmt::format("{}, {}: {}", to_text(finding.kind), result::to_text(finding.severity),
                     finding.title);
}

/// "SlowSteps, warning: 3 steps took twice as long"
std::string described(const result::RuleRow& rule) {
  return fmt::format("{}, {}: {}", rule.rule, result::to_text(*rule.severity),
                     rule.reason.empty() ? rule.description : rule.reason);
}

std::string lost_text(const result::Finding& finding) {
  return fmt::format("{}, {} lost", result::to_text(finding.severity),
                     exact_percent_text(finding.score * 100));
}

std::string full_stop(std::string sentence) {
  if (!sentence.empty() && !sentence.ends_with('.')) sentence += '.';
  return sentence;
}

Assertion evaluate_rule(const FailOn& demand, const result::Result& result) {
  const auto row =
      std::find_if(result.rules.begin(), result.rules.end(),
                   [&](const result::RuleRow& rule) { return rule.rule == demand.name; });
  if (row == result.rules.end() || row->status == result::RuleStatus::not_evaluated)
    throw Error(fmt::format(
        "fail-on {}: the rule could not be evaluated on this job, which is not a pass ({}); record "
        "what it needs, or drop this check",
        demand.name, row == result.rules.end() ? "it has no outcome" : printable(row->reason)));
  Assertion assertion{"fail-on", demand.text, AssertionStatus::passed, "no issue", "no issue", ""};
  assertion.message = fmt::format("{} found no issue.", demand.name);
  if (row->status == result::RuleStatus::issue_found) {
    assertion.status = AssertionStatus::failed;
    assertion.found = fmt::format("an issue, triggered {}",
                                  count_of(static_cast<std::size_t>(row->triggered), "time"));
    assertion.message =
        full_stop(fmt::format("{} found an issue: {}", demand.name,
                              row->reason.empty() ? row->description : row->reason));
  }
  return assertion;
}

/// What a demand on the model is judged by. A job that logged none of it, or too little, has not
/// passed.
void refuse_unjudged_model(const FailOn& demand, const result::Result& result) {
  using result::CurveSplit;
  using result::FindingKind;
  const auto count = [&](CurveSplit split) -> std::size_t {
    const result::Curve* loss = main_loss(result.curves, split);
    return loss == nullptr ? 0 : static_cast<std::size_t>(loss->count);
  };
  const bool by_evaluation = demand.kind == FindingKind::overfitting ||
                             demand.kind == FindingKind::overtraining ||
                             demand.kind == FindingKind::constant_evaluation;
  if (!by_evaluation && demand.kind != FindingKind::diverged &&
      demand.kind != FindingKind::loss_not_decreasing)
    return;
  const std::size_t evaluations = count(CurveSplit::evaluation);
  const std::size_t points =
      by_evaluation ? evaluations : std::max(count(CurveSplit::train), evaluations);
  const std::size_t needed = by_evaluation ? result::kMinEvaluations : result::kMinLossPoints;
  if (points >= needed) return;
  throw Error(fmt::format(
      "fail-on {}: the job logged {} of {}, which is not a pass; log at least {} with TensorBoard, "
      "W&B or MLflow, or drop this check",
      demand.text, points == 0 ? "no value" : count_of(points, "value"),
      by_evaluation ? "an evaluation loss" : "a loss", needed));
}

Assertion evaluate_kind(const FailOn& demand, const result::Result& result) {
  Assertion assertion{"fail-on",   demand.text, AssertionStatus::passed,
                      "not found", "not found", fmt::format("{} was not found.", demand.name)};
  for (const result::Finding& finding : result.findings) {
    if (finding.kind != demand.kind) continue;
    assertion.status = AssertionStatus::failed;
    assertion.found = lost_text(finding);
    assertion.message = full_stop(fmt::format("{}: {}", finding.title, finding.why));
    return assertion;
  }
  refuse_unjudged_model(demand, result);
  return assertion;
}

Assertion evaluate_severity(const FailOn& demand, const result::Result& result) {
  std::vector<std::string> kinds;
  std::vector<std::string> sentences;
  std::size_t custom = 0;
  for (const result::Finding& finding : result.findings) {
    if (finding.severity < demand.least) continue;
    kinds.emplace_back(to_text(finding.kind));
    sentences.push_back(described(finding));
  }
  for (const result::RuleRow& rule : result.rules) {
    if (!rule.severity || *rule.severity < demand.least) continue;
    if (rule.status == result::RuleStatus::not_evaluated)
      throw Error(fmt::format("fail-on {}: the custom rule {} could not be evaluated on this job, "
                              "which is not a pass ({}); record what it needs, or drop the rule",
                              demand.text, rule.rule, printable(rule.reason)));
    if (rule.status != result::RuleStatus::issue_found) continue;
    ++custom;
    kinds.push_back(rule.rule);
    sentences.push_back(described(rule));
  }
  const std::string what = demand.least == Severity::info
                               ? "finding"
                               : fmt::format("{} finding", result::to_text(demand.least));
  Assertion assertion{"fail-on", demand.text, AssertionStatus::passed, "no " + what, "none", ""};
  if (demand.least == Severity::warning) assertion.expected = "no warning or critical finding";
  assertion.message = fmt::format("There is {}.", assertion.expected);
  if (!kinds.empty()) {
    assertion.status = AssertionStatus::failed;
    std::string counts = count_of(kinds.size() - custom, "finding");
    if (custom > 0)
      counts = (custom == kinds.size() ? "" : counts + " and ") + count_of(custom, "custom rule");
    assertion.found = fmt::format("{}: {}", counts, fmt::join(kinds, ", "));
    assertion.message = full_stop(fmt::format("{}", fmt::join(sentences, "; ")));
  }
  return assertion;
}

/// A job that runs, or whose recorder was killed, may fail yet.
void refuse_unknown_end(const FailOn& demand, const result::Result& result) {
  const auto& status = result.job.status;
  if (result.job.failure || (status && *status != "InProgress")) return;
  throw Error(fmt::format("fail-on {}: how the job ended was not recorded, which is not a pass; "
                          "run it under 'debrief record', or wait for its end",
                          demand.text));
}

/// A job that died young has too little data to say that nothing else was wrong with it.
void refuse_too_little(const FailOn& demand, const result::Result& result) {
  if (!result.job.failure) return;
  for (const result::Finding& finding : result.findings)
    if (finding.kind == kUndecided)
      throw Error(fmt::format("fail-on {}: the job failed and recorded too little data to diagnose "
                              "the rest, which is not a pass ({})",
                              demand.text, printable(finding.why)));
}

/// A few seconds show what is there, not that nothing else is. What is wrong with a model is told
/// by its log, however short the run was.
void refuse_too_short(const FailOn& demand, const result::Result& result) {
  if (result.verdict.conclusive || (demand.kind && is_about_model(*demand.kind))) return;
  throw Error(
      fmt::format("fail-on {}: nothing of it was found, but the job ran too briefly to rule "
                  "it out, which is not a pass; that takes 20 steps, or 10 samples in 20 s "
                  "of the training loop",
                  demand.text));
}

} // namespace

FailOn parse_fail_on(const std::string& text, const std::string& where,
                     std::span<const std::string> custom_rules) {
  const std::string word = without_spaces(text);
  if (word.starts_with("severity"))
    return parse_severity(text, std::string_view{word}.substr(8), where);
  if (rules::find_rule(word) != nullptr ||
      std::find(custom_rules.begin(), custom_rules.end(), word) != custom_rules.end())
    return {text, FailOn::What::rule, word, {}, Severity::critical};
  std::vector<std::string> known;
  for (const result::FindingKind kind : result::kFindingKinds) {
    known.emplace_back(to_text(kind));
    if (word == known.back()) return {text, FailOn::What::finding, word, kind, Severity::critical};
  }
  for (const rules::Rule& rule : rules::all_rules())
    known.push_back(rule.declaration.name);
  known.insert(known.end(), custom_rules.begin(), custom_rules.end());
  known.emplace_back("severity>=critical");
  throw Error(fmt::format("{}: not a finding, a rule or a severity{}; docs/ci.md lists them", where,
                          did_you_mean(word, known)));
}

Assertion evaluate(const FailOn& demand, const result::Result& result) {
  if (demand.what == FailOn::What::rule) return evaluate_rule(demand, result);
  if (demand.kind == result::FindingKind::failed) { // told by how it ended, whatever was measured
    refuse_unknown_end(demand, result);
    return evaluate_kind(demand, result);
  }
  const auto verdict = summary_of(result.verdict, result.findings);
  if (demand.kind != kUndecided && verdict && verdict->kind == kUndecided)
    throw Error(fmt::format(
        "fail-on {}: the job recorded too little data to diagnose, which is not a pass ({}); {}",
        demand.text, printable(verdict->why), printable(verdict->next)));
  Assertion assertion = demand.what == FailOn::What::severity ? evaluate_severity(demand, result)
                                                              : evaluate_kind(demand, result);
  if (assertion.status == AssertionStatus::passed && demand.kind != kUndecided) {
    refuse_too_little(demand, result);
    refuse_too_short(demand, result);
  }
  return assertion;
}

} // namespace debrief::gate
