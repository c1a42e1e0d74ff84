#include "compare/figures.h"
#include "custom_rules/judge.h"
#include "gate/demands.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::custom_rules {

result::RuleRow judge_metric(const Condition& condition, const rules::RuleInput& input) {
  const std::vector<compare::Figure> figures = compare::figures_of(input.result);
  const compare::Figure* figure = gate::find_figure(figures, condition.name);
  if (figure == nullptr)
    return rules::not_evaluated(
        fmt::format("the job has no metric {}; record what it needs", printable(condition.name)));
  const auto bound = gate::in_unit(condition.value, figure->unit);
  if (!bound) // a declared unit is checked before; a result may have another one
    return rules::not_evaluated(
        fmt::format("'{}' is not a unit of {}, which has {}", printable(condition.value.unit),
                    printable(condition.name), gate::units_of(figure->unit)));
  const gate::TextPair texts = gate::told_apart(figure->value, *bound, figure->unit);
  result::RuleRow row;
  row.datapoints = 1;
  const bool found = gate::holds(figure->value, condition.op, *bound);
  row.triggered = row.violations = found ? 1 : 0;
  row.status = found ? result::RuleStatus::issue_found : result::RuleStatus::no_issue;
  row.reason = fmt::format("{} is {} ({}{} {})", figure->label, texts.first, found ? "" : "not ",
                           gate::words_for(condition.op), texts.second);
  row.details["value"] = figure->value;
  return row;
}

} // namespace debrief::custom_rules
