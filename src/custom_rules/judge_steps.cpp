#include "custom_rules/judge_steps.h"

#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

namespace debrief::custom_rules {

StepJudge::StepJudge(const Condition& condition, std::string what, rules::model::Firings& firings)
    : condition_(condition)
    , what_(std::move(what))
    , relation_(gate::words_for(condition.op))
    , bound_(condition.value.number)
    , firings_(firings) {}

void StepJudge::see(std::uint32_t slot, const std::string& name, std::int64_t step, double value) {
  if (slot >= in_row_.size()) in_row_.resize(std::size_t{slot} + 1);
  std::int64_t& in_row = in_row_[slot];
  if (std::isnan(value)) {
    ++nans_;
    in_row = 0;
    return;
  }
  in_row = gate::holds(value, condition_.op, bound_) ? in_row + 1 : 0;
  firings_.look(slot, name, step, in_row >= condition_.steps,
                {what_.c_str(), relation_.c_str(), value, bound_});
}

result::RuleRow row_of(rules::model::Firings firings, std::int64_t nans,
                       const std::string& missing) {
  firings.explain(nans > 0 ? fmt::format("all values ({}) are NaN", count_text(nans)) : missing);
  result::RuleRow row = std::move(firings).row();
  if (row.status != result::RuleStatus::not_evaluated && nans > 0)
    row.reason += fmt::format("{}{} not compared, since NaN", row.reason.empty() ? "" : ". ",
                              count_of(static_cast<std::size_t>(nans), "value"));
  return row;
}

} // namespace debrief::custom_rules
