// VanishingGradient: are gradients so small that a layer no longer learns?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <array>

namespace debrief::rules::model {

namespace {

class VanishingGradientWatch final : public RuleWatch {
public:
  VanishingGradientWatch(TensorIds wanted, double threshold, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , threshold_(threshold) {}

  void see(const SeenTensor& tensor) override {
    const auto mean = tensor.abs_mean();
    if (!mean) return;
    firings().look(tensor.tensor, tensor.name, tensor.step.step, *mean < threshold_,
                   {"mean of absolute values", "below", *mean, threshold_});
  }

private:
  double threshold_;
};

std::unique_ptr<TensorWatch> watch_vanishing_gradient(const WatchScope& scope,
                                                      const ParameterValues& parameters,
                                                      Firings& firings) {
  const std::array<std::string, 1> gradients = {"gradients"};
  firings.explain("the job saved no gradients, or not the mean of their absolute values");
  return std::make_unique<VanishingGradientWatch>(scope.names.in_collections(gradients),
                                                  parameters.number("threshold"), firings);
}

} // namespace

Rule vanishing_gradient_rule() {
  return {{.name = "VanishingGradient",
           .group = RuleGroup::deep_learning,
           .looks_at = RuleInputKind::tensors,
           .description = "Finds gradients that are nearly zero, so that their layer no longer "
                          "learns.",
           .recommendation = "Use ReLU-like activations, normalization or residual connections, "
                             "and check the scale of inputs and initial weights.",
           .parameters = {{"threshold", ParameterType::number, "1e-07", 0, 1e9, "",
                           "Mean of a gradient's absolute values below which it vanishes"}},
           .shows_layers = true},
          nullptr,
          watch_vanishing_gradient};
}

} // namespace debrief::rules::model
