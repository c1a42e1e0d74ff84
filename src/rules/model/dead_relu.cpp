// DeadRelu: do too many ReLU units of a layer never activate?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"
#include "rules/model/units.h"

namespace debrief::rules::model {

namespace {

class DeadReluWatch final : public RuleWatch {
public:
  DeadReluWatch(TensorIds wanted, double inactivity, double layer, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , inactivity_(inactivity)
      , layer_(layer) {}

  void see(const SeenTensor& tensor) override {
    if (!tensor.has_numbers()) return;
    const auto dead =
        inactive_percent(*tensor.data, inactivity_, [](double value) { return value > 0; });
    if (!dead) return;
    firings().look(tensor.tensor, tensor.name, tensor.step.step, *dead > layer_,
                   {"percentage of dead units", "above", *dead, layer_});
  }

private:
  double inactivity_;
  double layer_;
};

std::unique_ptr<TensorWatch> watch_dead_relu(const WatchScope& scope,
                                             const ParameterValues& parameters, Firings& firings) {
  firings.explain("no saved activation matches tensor_regex, or only reductions were saved");
  return std::make_unique<DeadReluWatch>(scope.names.matching(parameters.list("tensor_regex")),
                                         parameters.number("threshold_inactivity"),
                                         parameters.number("threshold_layer"), firings);
}

} // namespace

Rule dead_relu_rule() {
  return {{.name = "DeadRelu",
           .group = RuleGroup::deep_learning,
           .looks_at = RuleInputKind::tensors,
           .description = "Finds layers in which too many ReLU units are dead: they output zero "
                          "for nearly every sample of the batch.",
           .recommendation = "Lower the learning rate, check the biases, or use LeakyReLU, GELU or "
                             "ELU.",
           .parameters = {tensor_regex_parameter(".*relu_output"),
                          percent_parameter("threshold_inactivity", "1",
                                            "Share of the batch in which a unit is active, below "
                                            "which it is dead"),
                          percent_parameter("threshold_layer", "50",
                                            "Share of dead units above which the rule triggers")},
           .shows_layers = true},
          nullptr,
          watch_dead_relu};
}

} // namespace debrief::rules::model
