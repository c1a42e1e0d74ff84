#include "rules/model/firings.h"

#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace debrief::rules::model {

namespace {

/// "3.2e-09", "infinite".
std::string value_text(const std::optional<double>& value) {
  return value ? fmt::format("{:.3g}", *value) : "not finite";
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional{value} : std::nullopt;
}

/// "triggered at 6 steps, first at step 25. In gradient/fc.bias the mean of absolute values was 0
/// (below 1e-07). 3 other tensors triggered, too".
std::string reason_of(const result::ModelSteps& model) {
  const result::TensorFinding& first = model.tensors.front();
  std::string out = fmt::format("triggered at step {}", count_text(model.steps.front()));
  if (model.step_count > 1)
    out = fmt::format("triggered at {} steps, first at step {}", count_text(model.step_count),
                      count_text(model.steps.front()));
  out += fmt::format(". In {} the {} was {} ({} {})", first.tensor, first.condition,
                     value_text(first.value), first.relation, value_text(first.threshold));
  std::set<std::string> others;
  for (const result::TensorFinding& found : model.tensors)
    if (found.tensor != first.tensor) others.insert(found.tensor);
  if (!others.empty())
    out += fmt::format(". {} triggered, too",
                       others.size() == 1
                           ? *others.begin()
                           : fmt::format("{} other tensors",
                                         count_text(static_cast<std::int64_t>(others.size()))));
  return out;
}

} // namespace

result::TensorFinding& Firings::entry(const std::string& tensor, const char* what) {
  const std::string name = worker_.empty() ? tensor : fmt::format("{} ({})", tensor, worker_);
  result::TensorFinding& found = tensors_[{name, what}];
  found.tensor = name;
  return found;
}

void Firings::look(std::uint32_t slot, const std::string& tensor, std::int64_t step, bool fired,
                   const Condition& condition) {
  constexpr char kNew = 2;
  looked();
  note(slot, tensor, step, fired, condition);
  if (slot >= running_.size()) running_.resize(std::size_t{slot} + 1, kNew);
  char& running = running_[slot];
  if (running == kNew) ++tensors_looked_;
  if (fired) {
    add(tensor, step, condition);
    result::TensorFinding& found = entry(tensor, condition.what);
    if (!found.unbroken_from) found.unbroken_from = step;
    ++found.unbroken_count;
  } else if (running == 1) {
    result::TensorFinding& found = entry(tensor, condition.what);
    found.unbroken_from.reset();
    found.unbroken_count = 0;
  }
  running = fired ? 1 : 0;
}

void Firings::add(const std::string& tensor, std::int64_t step, const Condition& condition) {
  ++violations_;
  steps_.insert(step);
  result::TensorFinding& found = entry(tensor, condition.what);
  if (found.step_count++ == 0) {
    found.condition = condition.what;
    found.relation = condition.relation;
    found.value = finite(condition.value);
    found.threshold = finite(condition.threshold);
  }
  if (found.steps.size() < result::kMaxTensorSteps) found.steps.push_back(step);
}

result::RuleRow Firings::row() && {
  result::RuleRow row;
  row.datapoints = looked_;
  row.violations = violations_;
  row.triggered = static_cast<std::int64_t>(steps_.size());
  if (looked_ == 0) {
    row.status = result::RuleStatus::not_evaluated;
    row.reason = reason_.empty() ? "no tensor that it looks at was saved" : reason_;
    return row;
  }
  if (steps_.empty() || is_noise_) {
    row.status = result::RuleStatus::no_issue;
    row.triggered = 0;
    if (!steps_.empty())
      row.reason = fmt::format("{} of {} checks failed, which is within noise. SageMaker's "
                               "defaults are for losses saved every 500 steps; set one of the "
                               "rule's parameters to count every failed check",
                               count_text(violations_), count_text(looked_));
    return row;
  }
  row.status = result::RuleStatus::issue_found;
  result::ModelSteps& model = row.model;
  model.step_count = row.triggered;
  for (const std::int64_t step : steps_) {
    if (model.steps.size() == result::kMaxModelSteps) break;
    model.steps.push_back(step);
  }
  model.tensors_looked_at = tensors_looked_;
  model.tensor_count = static_cast<std::int64_t>(tensors_.size());
  for (auto& [key, found] : tensors_)
    model.tensors.push_back(std::move(found));
  // Those that were there first, and longest, say most.
  std::stable_sort(model.tensors.begin(), model.tensors.end(), [](const auto& a, const auto& b) {
    return std::pair{a.steps.front(), -a.step_count} < std::pair{b.steps.front(), -b.step_count};
  });
  if (model.tensors.size() > result::kMaxModelTensors)
    model.tensors.resize(result::kMaxModelTensors);
  row.reason = reason_of(model);
  nlohmann::ordered_json& details = row.details;
  details["steps"] = model.steps;
  for (const result::TensorFinding& found : model.tensors)
    details["tensors"][printable(found.tensor)][found.condition] = found.steps;
  return row;
}

} // namespace debrief::rules::model
