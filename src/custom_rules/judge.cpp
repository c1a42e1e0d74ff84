#include "custom_rules/judge.h"

namespace debrief::custom_rules {

result::RuleRow judge(const Condition& condition, const rules::RuleInput& input) {
  switch (condition.subject) {
  case Subject::series:
    return judge_series(condition, input);
  case Subject::scalar:
    return judge_scalars(condition, input);
  case Subject::tensor:
    return judge_tensors(condition, input);
  case Subject::metric:
    break;
  }
  return judge_metric(condition, input);
}

} // namespace debrief::custom_rules
