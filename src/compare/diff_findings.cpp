// Findings by kind, and rules by name.
#include "compare/diff.h"
#include "compare/document.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace debrief::compare {

namespace {

using nlohmann::json;

Figure share(const std::optional<double>& percent) {
  return {"", "", "%", Better::lower, percent.value_or(0), {}, false};
}

constexpr Tolerance kShareTolerance{0.05, 1};

std::optional<FindingSide> find_finding(const json& document, const std::string& kind) {
  for (const json* row : rows_at(document, "findings"))
    if (text_at(*row, "kind") == kind)
      return FindingSide{text_at(*row, "severity"), text_at(*row, "title"),
                         number_at(*row, "score").value_or(0)};
  return std::nullopt;
}

std::optional<RuleSide> find_rule(const json& document, const std::string& name) {
  for (const json* row : rows_at(document, "rules"))
    if (text_at(*row, "rule") == name)
      return RuleSide{text_at(*row, "status"), number_at(*row, "triggered"),
                      number_at(*row, "violations"), number_at(*row, "datapoints")};
  return std::nullopt;
}

/// The texts of a key in the rows of both, each once, in their order.
std::vector<std::string> names_of(const json& before, const json& after, const char* list,
                                  const char* key) {
  std::vector<std::string> names;
  for (const json* document : {&before, &after})
    for (const json* row : rows_at(*document, list)) {
      const std::string name = text_at(*row, key);
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  return names;
}

void judge(RuleChange& change) {
  const auto say = [&](Word word, std::string reason) {
    change.word = word;
    change.reason = std::move(reason);
  };
  if (!change.before || !change.after)
    return say(Word::incomparable, change.before ? "only before" : "only after");
  const bool found_before = change.before->status == "issue_found";
  const bool found_after = change.after->status == "issue_found";
  if (change.before->status == "not_evaluated" || change.after->status == "not_evaluated")
    return say(Word::incomparable, "not evaluated");
  if (found_before != found_after)
    return say(found_after ? Word::worse : Word::improved,
               found_after ? "found an issue" : "the issue is gone");
  const auto first = percent_of(change.before->violations, change.before->datapoints);
  const auto second = percent_of(change.after->violations, change.after->datapoints);
  // Without an issue, how often its condition held means nothing.
  if (!found_after || !first || !second) return say(Word::no_change, "the same outcome");
  const Change shares = compare(share(first), share(second), kShareTolerance);
  say(shares.word, "violations: " + shares.reason);
}

} // namespace

std::vector<FindingChange> diff_findings(const json& before, const json& after) {
  std::vector<FindingChange> out;
  for (const std::string& kind : names_of(before, after, "findings", "kind")) {
    FindingChange change{kind, find_finding(before, kind), find_finding(after, kind), {}};
    if (!change.before)
      change.word = Word::worse;
    else if (!change.after)
      change.word = Word::improved;
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

std::vector<RuleChange> diff_rules(const json& before, const json& after) {
  std::vector<RuleChange> out;
  for (const std::string& name : names_of(before, after, "rules", "rule")) {
    RuleChange change{name, find_rule(before, name), find_rule(after, name), {}, {}};
    judge(change);
    out.push_back(std::move(change));
  }
  return out;
}

} // namespace debrief::compare
