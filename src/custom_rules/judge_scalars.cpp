#include "compare/figures.h"
#include "custom_rules/judge.h"
#include "custom_rules/judge_steps.h"
#include "util/glob.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::custom_rules {

namespace {

/// As the result names it: with its run before it where several runs logged it.
std::string name_of(const job::ScalarSeries& series) {
  return series.run.empty() ? series.name : fmt::format("{}/{}", series.run, series.name);
}

/// Too few values for as many steps as the condition wants say nothing.
std::string too_few(const Condition& condition, std::size_t most) {
  return fmt::format("{} logged, and the condition needs {}", count_of(most, "value"),
                     condition.steps);
}

} // namespace

result::RuleRow judge_scalars(const Condition& condition, const rules::RuleInput& input) {
  rules::model::Firings firings;
  StepJudge judge{condition, "value", firings};
  std::size_t most = 0;
  std::uint32_t slot = 0;
  for (const job::ScalarSeries& series : input.job.scalars) {
    if (!glob_matches(condition.name, compare::scalar_part(series.name))) continue;
    most = std::max(most, series.size());
    for (std::size_t i = 0; i < series.size(); ++i)
      judge.see(slot, name_of(series), series.steps[i], series.values[i]);
    ++slot;
  }
  if (most > 0 && most < static_cast<std::size_t>(condition.steps))
    return rules::not_evaluated(too_few(condition, most));
  return row_of(std::move(firings), judge.nans(),
                input.job.scalars.empty() ? std::string{"the job logged no scalars"}
                                          : fmt::format("no scalar that was logged matches '{}'",
                                                        printable(condition.name)));
}

} // namespace debrief::custom_rules
