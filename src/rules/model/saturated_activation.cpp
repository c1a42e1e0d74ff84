// SaturatedActivation: are inputs of tanh and sigmoid layers so far out that their gradient is
// zero?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"
#include "rules/model/units.h"

namespace debrief::rules::model {

namespace {

/// Inputs between which an activation still has a gradient.
struct ActiveRange {
  double min = 0;
  double max = 0;
};

class SaturatedActivationWatch final : public RuleWatch {
public:
  SaturatedActivationWatch(TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , tanh_{parameters.number("threshold_tanh_min"), parameters.number("threshold_tanh_max")}
      , sigmoid_{parameters.number("threshold_sigmoid_min"),
                 parameters.number("threshold_sigmoid_max")}
      , inactivity_(parameters.number("threshold_inactivity"))
      , layer_(parameters.number("threshold_layer")) {}

  void see(const SeenTensor& tensor) override {
    if (!tensor.has_numbers()) return;
    const bool is_tanh = tensor.name.find("tanh_input") != std::string::npos;
    const ActiveRange& range = is_tanh ? tanh_ : sigmoid_;
    const auto saturated = inactive_percent(*tensor.data, inactivity_, [&](double value) {
      return value > range.min && value < range.max;
    });
    if (!saturated) return;
    firings().look(tensor.tensor, tensor.name, tensor.step.step, *saturated > layer_,
                   {"percentage of saturated units", "above", *saturated, layer_});
  }

private:
  ActiveRange tanh_;
  ActiveRange sigmoid_;
  double inactivity_;
  double layer_;
};

std::unique_ptr<TensorWatch> watch_saturated_activation(const WatchScope& scope,
                                                        const ParameterValues& parameters,
                                                        Firings& firings) {
  firings.explain("no saved activation matches tensor_regex, or only reductions were saved");
  return std::make_unique<SaturatedActivationWatch>(
      scope.names.selected(parameters.list("collection_names"), parameters.list("tensor_regex")),
      parameters, firings);
}

Parameter input_parameter(const char* name, const char* value, const char* meaning) {
  return {name, ParameterType::number, value, -1e9, 1e9, "", meaning};
}

} // namespace

Rule saturated_activation_rule() {
  std::vector<Parameter> parameters = selection_parameters("None", ".*tanh_input|.*sigmoid_input");
  parameters.push_back(input_parameter("threshold_tanh_min", "-9.4999",
                                       "Input of tanh at or below which a unit is saturated"));
  parameters.push_back(input_parameter("threshold_tanh_max", "9.4999",
                                       "Input of tanh at or above which a unit is saturated"));
  parameters.push_back(input_parameter("threshold_sigmoid_min", "-23",
                                       "Input of sigmoid at or below which a unit is saturated"));
  parameters.push_back(input_parameter("threshold_sigmoid_max", "16.99999",
                                       "Input of sigmoid at or above which a unit is saturated"));
  parameters.push_back(percent_parameter("threshold_inactivity", "1",
                                         "Share of the batch in which a unit is not saturated, "
                                         "below which it counts as saturated"));
  parameters.push_back(percent_parameter("threshold_layer", "50",
                                         "Share of saturated units above which the rule triggers"));
  return {{.name = "SaturatedActivation",
           .group = RuleGroup::deep_learning,
           .looks_at = RuleInputKind::tensors,
           .description = "Finds tanh and sigmoid layers whose inputs are so large that most units "
                          "have no gradient left.",
           .recommendation = "Scale inputs to zero mean and unit variance, add normalization "
                             "before the activation, and use smaller initial weights.",
           .parameters = std::move(parameters),
           .shows_layers = true},
          nullptr,
          watch_saturated_activation};
}

} // namespace debrief::rules::model
