// ExplodingTensor: does a tensor have values that are NaN or infinite?
#include "rules/model/losses.h"
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <array>
#include <cmath>

namespace debrief::rules::model {

namespace {

constexpr const char* kNotFinite = "values that are NaN or infinite";
constexpr const char* kNan = "values that are NaN";

class ExplodingTensorWatch final : public RuleWatch {
public:
  ExplodingTensorWatch(TensorIds wanted, bool only_nan, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , only_nan_(only_nan) {}

  void see(const SeenTensor& tensor) override {
    const auto count = tensor.has_numbers() ? counted(tensor) : in_reductions(tensor.reductions);
    if (!count) return;
    firings().looked();
    if (*count > 0)
      firings().add(tensor.name, tensor.step.step,
                    {only_nan_ ? kNan : kNotFinite, "above", *count, 0});
  }

private:
  std::optional<double> counted(const SeenTensor& tensor) const {
    const SeenTensor::Counts& counts = tensor.counts();
    return static_cast<double>(counts.nans + (only_nan_ ? 0 : counts.infinities));
  }

  /// By minimum, maximum and mean where these were saved: a variance of one value is NaN by itself.
  std::optional<double> in_reductions(const Reductions& reductions) const {
    using job::Reduction;
    constexpr std::array kTelling = {Reduction::min,     Reduction::max,     Reduction::mean,
                                     Reduction::abs_min, Reduction::abs_max, Reduction::abs_mean};
    double count = 0;
    bool any = false;
    const auto look = [&](const std::optional<double>& value) {
      if (!value) return;
      any = true;
      if (std::isnan(*value) || (!only_nan_ && std::isinf(*value))) ++count;
    };
    for (const Reduction reduction : kTelling)
      look(reductions[static_cast<std::size_t>(reduction)]);
    if (!any)
      for (const std::optional<double>& value : reductions)
        look(value);
    return any ? std::optional{count} : std::nullopt;
  }

  bool only_nan_;
};

std::unique_ptr<TensorWatch> watch_exploding_tensor(const WatchScope& scope,
                                                    const ParameterValues& parameters,
                                                    Firings& firings) {
  const auto collections = parameters.list("collection_names");
  const auto patterns = parameters.list("tensor_regex");
  return std::make_unique<ExplodingTensorWatch>(collections.empty() && patterns.empty()
                                                    ? scope.names.all()
                                                    : scope.names.selected(collections, patterns),
                                                parameters.flag("only_nan"), firings);
}

void judge_exploding_losses(const LossLog& log, const ParameterValues& parameters,
                            Firings& firings) {
  const bool only_nan = parameters.flag("only_nan");
  for (const LossSeries& loss : log.losses)
    for (const LossPoint& point : loss.points) {
      firings.looked();
      if (std::isnan(point.value) || (!only_nan && std::isinf(point.value)))
        firings.add(loss.name, point.step, {only_nan ? kNan : kNotFinite, "above", 1, 0});
    }
}

} // namespace

Rule exploding_tensor_rule() {
  std::vector<Parameter> parameters = selection_parameters("None", "None");
  parameters.push_back(
      flag_parameter("only_nan", "False", "Look for NaN only, not for infinite values"));
  return {{.name = "ExplodingTensor",
           .group = RuleGroup::deep_learning,
           .looks_at = RuleInputKind::tensors_or_losses,
           .description = "Finds tensors and losses with values that are NaN or infinite.",
           .recommendation = "Lower the learning rate, clip gradients, and check inputs and the "
                             "loss for divisions by zero and logarithms of it.",
           .parameters = std::move(parameters)},
          nullptr,
          watch_exploding_tensor,
          judge_exploding_losses};
}

} // namespace debrief::rules::model
