#include "findings/explained_rules.h"

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <utility>
#include <vector>

namespace test_explained_rules {

using namespace debrief;

namespace {

result::RuleRow rule(std::vector<TimeSpan> held) {
  result::RuleRow out;
  out.status = result::RuleStatus::issue_found;
  for (const TimeSpan& span : held)
    out.incidents.push_back({"algo-1", "gpu0", span, ""});
  return out;
}

result::Finding finding(result::FindingKind kind, std::vector<TimeSpan> windows,
                        double score = 0.5) {
  result::Finding out;
  out.kind = kind;
  out.score = score;
  out.windows = std::move(windows);
  return out;
}

std::string explained(result::RuleRow row, const std::vector<result::Finding>& findings) {
  std::vector<result::RuleRow> rules{std::move(row)};
  findings::explain_rules(rules, findings);
  return rules.front().explained_by;
}

} // namespace

using result::FindingKind;

TEST_CASE("a finding explains a rule that held in its time, four fifths of it at least") {
  const std::vector<TimeSpan> held = {{0, 60}, {100, 140}};
  CHECK(explained(rule(held), {finding(FindingKind::input_bound, {{0, 80}, {100, 120}})}) ==
        "input_bound"); // 80 of 100
  CHECK(explained(rule(held), {finding(FindingKind::input_bound, {{0, 80}, {100, 119}})}).empty());
  // Two devices at the same time are no more time.
  CHECK(explained(rule({{0, 60}, {0, 60}, {50, 75}}),
                  {finding(FindingKind::io_bound, {{0, 60}})}) == "io_bound");
}

TEST_CASE("the finding that covers most explains it, and of those alike the most costly") {
  const std::vector<TimeSpan> held = {{0, 100}};
  CHECK(explained(rule(held), {finding(FindingKind::input_bound, {{0, 85}}),
                               finding(FindingKind::cpu_bound, {{0, 99}})}) == "cpu_bound");
  CHECK(explained(rule(held), {finding(FindingKind::input_bound, {{0, 100}}),
                               finding(FindingKind::cpu_bound, {{0, 100}})}) == "input_bound");
}

TEST_CASE("nothing explains a rule that did not trigger, nor does what costs no time") {
  const std::vector<TimeSpan> held = {{0, 100}};
  result::RuleRow quiet = rule(held);
  quiet.status = result::RuleStatus::no_issue;
  CHECK(explained(quiet, {finding(FindingKind::input_bound, held)}).empty());
  CHECK(explained(rule(held), {finding(FindingKind::memory_growth, held, 0)}).empty());
  CHECK(explained(rule({}), {finding(FindingKind::input_bound, held)}).empty());
  CHECK(explained(rule(held), {}).empty());
}

} // namespace test_explained_rules
