#include "custom_rules/judge.h"
#include "custom_rules/judge_steps.h"
#include "rules/model/reduce.h"
#include "rules/model/tensor_pass.h"
#include "util/glob.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

namespace debrief::custom_rules {

namespace {

using rules::model::Firings;
using rules::model::SeenTensor;
using rules::model::TensorIds;

/// Sees one worker's tensors.
class ConditionWatch final : public rules::model::RuleWatch {
public:
  ConditionWatch(TensorIds wanted, job::Reduction reduction, StepJudge& judge, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , reduction_(reduction)
      , judge_(judge) {}

  void see(const SeenTensor& tensor) override {
    const auto value = tensor.has_numbers()
                           ? rules::model::reduce(tensor.data->values, reduction_)
                           : tensor.reductions[static_cast<std::size_t>(reduction_)];
    if (value) judge_.see(tensor.tensor, tensor.name, tensor.step.step, *value);
  }

private:
  job::Reduction reduction_;
  StepJudge& judge_;
};

/// Of how many steps a worker saved a tensor; the most of all that are wanted.
std::size_t most_steps(const job::TensorTable& table, const TensorIds& wanted) {
  std::vector<std::size_t> count(table.names.size() * table.workers.size());
  for (const job::TensorStep& step : table.steps) {
    const std::size_t first = step.worker * table.names.size();
    std::uint32_t last = job::kMaxTensors;
    for (const job::TensorRecord& record : table.records_of(step)) {
      if (record.tensor != last) ++count[first + record.tensor];
      last = record.tensor;
    }
  }
  std::size_t most = 0;
  for (std::size_t i = 0; i < count.size(); ++i)
    if (std::binary_search(wanted.begin(), wanted.end(), i % table.names.size()))
      most = std::max(most, count[i]);
  return most;
}

std::string missing_words(const Condition& condition, bool any_name) {
  if (!any_name) return fmt::format("no saved tensor matches '{}'", printable(condition.name));
  return fmt::format("{} of the tensors that match '{}' was not saved",
                     job::to_string(condition.reduction), printable(condition.name));
}

/// What other rules could not read either counts once.
void note_lost(const job::Troubles& lost, job::Troubles& known) {
  for (const auto& [reason, trouble] : lost)
    if (job::Trouble& same = known[reason]; same.count < trouble.count) same = trouble;
}

} // namespace

result::RuleRow judge_tensors(const Condition& condition, const rules::RuleInput& input) {
  const job::TensorTable& table = input.job.tensors;
  if (table.empty()) return rules::not_evaluated("the job saved no tensors (debug-output)");
  TensorIds wanted;
  for (std::uint32_t i = 0; i < table.names.size(); ++i)
    if (glob_matches(condition.name, table.names[i])) wanted.push_back(i);
  if (wanted.empty()) return rules::not_evaluated(missing_words(condition, false));
  if (const std::size_t most = most_steps(table, wanted);
      most < static_cast<std::size_t>(condition.steps))
    return rules::not_evaluated(fmt::format("{} saved, and the condition needs {}",
                                            count_of(most, "step"), condition.steps));
  Firings firings;
  job::Troubles lost;
  std::int64_t nans = 0;
  for (std::uint32_t worker = 0; worker < table.workers.size(); ++worker) {
    if (table.workers.size() > 1) firings.set_worker(table.workers[worker]);
    StepJudge judge{condition, std::string{job::to_string(condition.reduction)}, firings};
    std::vector<std::unique_ptr<rules::model::TensorWatch>> watches;
    watches.push_back(
        std::make_unique<ConditionWatch>(wanted, condition.reduction, judge, firings));
    rules::model::show_tensors(table, worker, watches, lost);
    nans += judge.nans();
  }
  if (input.lost != nullptr) note_lost(lost, *input.lost);
  return row_of(std::move(firings), nans, missing_words(condition, true));
}

} // namespace debrief::custom_rules
