// Findings by kind, and rules by name.
#include "compare/diff.h"
#include "result/json.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

namespace debrief::compare {

namespace {

using result::Result;
using result::RuleStatus;

/// A share that a document lacks counts as none.
Figure share(double percent) {
  return {"", "", "%", Better::lower, std::isfinite(percent) ? percent : 0, {}, false};
}

constexpr Tolerance kShareTolerance{0.05, 1};

std::optional<FindingSide> find_finding(const Result& result, result::FindingKind kind) {
  for (const result::Finding& finding : result.findings)
    if (finding.kind == kind)
      return FindingSide{finding.severity, finding.title,
                         std::isfinite(finding.score) ? result::rounded(finding.score) : 0};
  return std::nullopt;
}

/// The first row of each rule.
std::map<std::string_view, RuleSide> rules_by_name(const Result& result) {
  std::map<std::string_view, RuleSide> rules;
  for (const result::RuleRow& row : result.rules)
    rules.try_emplace(row.rule,
                      RuleSide{row.status, row.triggered, row.violations, row.datapoints});
  return rules;
}

std::optional<RuleSide> find_rule(const std::map<std::string_view, RuleSide>& rules,
                                  const std::string& name) {
  const auto found = rules.find(name);
  return found == rules.end() ? std::nullopt : std::optional{found->second};
}

/// What the rows of both are known by, each once, in their order.
template <typename Row, typename Name>
std::vector<Name> names_of(const std::vector<Row>& before, const std::vector<Row>& after,
                           Name Row::*name) {
  std::vector<Name> names;
  std::set<Name> seen;
  for (const std::vector<Row>* rows : {&before, &after})
    for (const Row& row : *rows)
      if (seen.insert(row.*name).second) names.push_back(row.*name);
  return names;
}

/// In percent of the rule's datapoints.
std::optional<double> violations_of(const RuleSide& rule) {
  return percent_of(static_cast<double>(rule.violations), static_cast<double>(rule.datapoints));
}

void judge(RuleChange& change) {
  const auto say = [&](ChangeKind word, std::string reason) {
    change.word = word;
    change.reason = std::move(reason);
  };
  if (!change.before || !change.after)
    return say(ChangeKind::incomparable, change.before ? "only before" : "only after");
  const bool found_before = change.before->status == RuleStatus::issue_found;
  const bool found_after = change.after->status == RuleStatus::issue_found;
  if (change.before->status == RuleStatus::not_evaluated ||
      change.after->status == RuleStatus::not_evaluated)
    return say(ChangeKind::incomparable, "not evaluated");
  if (found_before != found_after)
    return say(found_after ? ChangeKind::worse : ChangeKind::improved,
               found_after ? "found an issue" : "the issue is gone");
  const auto first = violations_of(*change.before);
  const auto second = violations_of(*change.after);
  // Without an issue, how often its condition held means nothing.
  if (!found_after || !first || !second) return say(ChangeKind::no_change, "the same outcome");
  const Change shares = compare(share(*first), share(*second), kShareTolerance);
  say(shares.word, "violations: " + shares.reason);
}

} // namespace

std::vector<FindingChange> diff_findings(const Result& before, const Result& after) {
  std::vector<FindingChange> out;
  for (const result::FindingKind kind :
       names_of(before.findings, after.findings, &result::Finding::kind)) {
    FindingChange change{kind, find_finding(before, kind), find_finding(after, kind), {}};
    if (!change.before)
      change.word = ChangeKind::worse;
    else if (!change.after)
      change.word = ChangeKind::improved;
    else
      change.word = compare(share(100 * change.before->score), share(100 * change.after->score),
                            kShareTolerance)
                        .word;
    out.push_back(std::move(change));
  }
  std::stable_sort(out.begin(), out.end(), [](const FindingChange& a, const FindingChange& b) {
    const auto order = [](const FindingChange& row) {
      const int group = !row.before ? 0 : !row.after ? 1 : 2;
      return std::tuple(group, -(row.after ? row.after : row.before)->score);
    };
    return order(a) < order(b);
  });
  return out;
}

std::vector<RuleChange> diff_rules(const Result& before, const Result& after) {
  std::vector<RuleChange> out;
  const auto first = rules_by_name(before);
  const auto second = rules_by_name(after);
  for (const std::string& name : names_of(before.rules, after.rules, &result::RuleRow::rule)) {
    RuleChange change{name, find_rule(first, name), find_rule(second, name), {}, {}};
    judge(change);
    out.push_back(std::move(change));
  }
  return out;
}

} // namespace debrief::compare
