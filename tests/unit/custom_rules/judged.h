// What a custom rule with a condition says of a job.
#pragma once

#include "custom_rules/read_rules.h"
#include "rules/model/tensor_job.h"

#include <string>

namespace debrief::test {

/// The row of a rule, as the report has it.
inline result::RuleRow judged(const job::Job& job, const std::string& when) {
  pipeline::AnalyzeOptions options;
  options.custom.rules = custom_rules::read_custom_rules(
      nlohmann::json::array({{{"name", "Mine"}, {"when", when}}}), "test", "");
  pipeline::StageClock clock;
  return row_of(pipeline::analyze(job, options, clock).rules, "Mine");
}

inline bool triggers(const job::Job& job, const std::string& when) {
  const result::RuleRow row = judged(job, when);
  CHECK(row.status != result::RuleStatus::not_evaluated);
  CHECK((row.triggered > 0) == (row.status == result::RuleStatus::issue_found));
  return row.triggered > 0;
}

/// Why a rule could not be evaluated; empty: it was.
inline std::string unjudged(const job::Job& job, const std::string& when) {
  const result::RuleRow row = judged(job, when);
  return row.status == result::RuleStatus::not_evaluated ? row.reason : "";
}

} // namespace debrief::test
