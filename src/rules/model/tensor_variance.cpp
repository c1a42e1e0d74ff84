// TensorVariance: is a tensor's variance too high or too low?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

namespace debrief::rules::model {

namespace {

class TensorVarianceWatch final : public RuleWatch {
public:
  TensorVarianceWatch(TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , max_(parameters.optional_number("max_threshold"))
      , min_(parameters.optional_number("min_threshold")) {}

  void see(const SeenTensor& tensor) override {
    const auto variance = tensor.variance();
    if (!variance) return;
    firings().looked();
    if (max_ && *variance > *max_)
      firings().add(tensor.name, tensor.step.step, {"variance (high)", "above", *variance, *max_});
    else if (min_ && *variance < *min_)
      firings().add(tensor.name, tensor.step.step, {"variance (low)", "below", *variance, *min_});
  }

private:
  std::optional<double> max_;
  std::optional<double> min_;
};

std::unique_ptr<TensorWatch> watch_tensor_variance(const WatchScope& scope,
                                                   const ParameterValues& parameters,
                                                   Firings& firings) {
  return std::make_unique<TensorVarianceWatch>(
      scope.names.selected(parameters.list("collection_names"), parameters.list("tensor_regex")),
      parameters, firings);
}

} // namespace

Rule tensor_variance_rule() {
  std::vector<Parameter> parameters = selection_parameters("weights", "None");
  parameters.push_back({"max_threshold", ParameterType::optional_number, "10", 0, 1e12, "",
                        "Variance above which the rule triggers; None: no limit"});
  parameters.push_back({"min_threshold", ParameterType::optional_number, "1e-05", 0, 1e12, "",
                        "Variance below which the rule triggers; None: no limit"});
  return {{.name = "TensorVariance",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors,
           .description = "Finds tensors whose variance is too high or too low.",
           .recommendation = "A high variance leads to saturated units and exploding values, a low "
                             "one to units that all do the same. Check initialization, learning "
                             "rate and weight decay.",
           .parameters = std::move(parameters)},
          nullptr,
          watch_tensor_variance};
}

} // namespace debrief::rules::model
