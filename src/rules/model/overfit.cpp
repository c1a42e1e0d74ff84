// Overfit: is the validation loss far above the training loss?
#include "rules/model/losses.h"
#include "rules/model/model_rules.h"

#include <limits>

namespace debrief::rules::model {

namespace {

void judge_overfit(const LossLog& log, const ParameterValues& parameters, Firings& firings) {
  const double start = parameters.number("start_step");
  const double limit = parameters.number("ratio_threshold");
  const auto patience = static_cast<std::int64_t>(parameters.number("patience"));
  for (const LossPair& pair : log.pairs) {
    std::int64_t run = 0; // validations in a row above the threshold
    std::size_t next = 0; // of training, behind those up to the validation
    for (const LossPoint& point : pair.validation) {
      while (next < pair.train.size() && pair.train[next].step <= point.step)
        ++next;
      if (static_cast<double>(point.step) < start || next == 0) continue;
      const double train = pair.train[next - 1].value;
      const double ratio =
          train != 0 ? (point.value - train) / train : std::numeric_limits<double>::infinity();
      firings.looked();
      run = ratio > limit ? run + 1 : 0;
      if (run >= patience && run > 0)
        firings.add(pair.name, point.step,
                    {"validation loss above training loss, as a ratio", "above", ratio, limit});
    }
  }
  firings.explain(log.of_tensors ? "the job saved no pair of training and validation loss"
                                 : "no pair of training and evaluation loss was logged");
}

std::unique_ptr<TensorWatch> watch_overfit(const WatchScope& scope,
                                           const ParameterValues& parameters, Firings& firings) {
  const auto patterns = parameters.list("tensor_regex");
  return watch_losses(
      scope, scope.names.matching(patterns), patterns.empty(), firings,
      [parameters, &firings](const LossLog& log) { judge_overfit(log, parameters, firings); });
}

} // namespace

Rule overfit_rule() {
  return {{.name = "Overfit",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors_or_losses,
           .description = "Compares the validation loss with the training loss.",
           .recommendation = "Regularize the model (weight decay, dropout, augmentation), use more "
                             "data, or stop earlier.",
           .parameters = {tensor_regex_parameter("None"),
                          {"start_step", ParameterType::integer, "0", 0, 1e12, "",
                           "Step from which losses are compared"},
                          {"patience", ParameterType::integer, "1", 1, 1e9, "validations",
                           "Validations in a row that must be above the threshold"},
                          {"ratio_threshold", ParameterType::number, "0.1", 0, 1e9, "",
                           "Difference of the losses over the training loss above which the rule "
                           "triggers"}},
           .triggers_on_noise = true},
          nullptr,
          watch_overfit,
          judge_overfit};
}

} // namespace debrief::rules::model
