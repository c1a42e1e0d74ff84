// WeightUpdateRatio: do weights change too much, or not at all, from one saved step to the next?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <array>
#include <cmath>
#include <deque>
#include <map>

namespace debrief::rules::model {

namespace {

/// Mean absolute change against the mean absolute weight.
double update_ratio(const std::vector<double>& now, const std::vector<double>& before,
                    double epsilon) {
  double change = 0;
  double size = 0;
  for (std::size_t i = 0; i < now.size(); ++i) {
    change += std::abs(now[i] - before[i]);
    size += std::abs(before[i]);
  }
  const auto count = static_cast<double>(now.size());
  return change / count / (size / count + epsilon);
}

class WeightUpdateRatioWatch final : public RuleWatch {
public:
  WeightUpdateRatioWatch(const WatchScope& scope, TensorIds wanted,
                         const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , only_train_(scope.trains)
      , distance_(parameters.optional_number("num_steps"))
      , large_(parameters.number("large_threshold"))
      , small_(parameters.number("small_threshold"))
      , epsilon_(parameters.number("epsilon")) {}

  bool keeps_values() const override { return true; }

  void see(const SeenTensor& tensor) override {
    // Weights do not move in evaluation.
    if (only_train_ && tensor.step.mode != job::TensorMode::train) return;
    std::deque<Weights>& earlier = earlier_[tensor.tensor];
    if (!tensor.has_numbers() || tensor.data->values.empty()) {
      earlier.clear();
      return;
    }
    const auto too_old = [&](const Weights& weights) {
      return distance_ && static_cast<double>(tensor.step.step - weights.step) > *distance_;
    };
    while (!earlier.empty() && too_old(earlier.front()))
      earlier.pop_front();
    const std::vector<double>& now = tensor.data->values;
    if (!earlier.empty() && earlier.front().values.size() == now.size())
      judge(tensor, update_ratio(now, earlier.front().values, epsilon_));
    if (!distance_) earlier.clear();
    earlier.push_back({tensor.step.step, now});
  }

private:
  struct Weights {
    std::int64_t step = 0;
    std::vector<double> values;
  };

  void judge(const SeenTensor& tensor, double ratio) {
    firings().looked();
    firings().note(tensor.tensor, tensor.name, tensor.step.step, ratio > large_ || ratio < small_,
                   {"ratio of update to weight", "above", ratio, large_});
    if (ratio > large_)
      firings().add(tensor.name, tensor.step.step,
                    {"ratio of update to weight (large)", "above", ratio, large_});
    else if (ratio < small_)
      firings().add(tensor.name, tensor.step.step,
                    {"ratio of update to weight (small)", "below", ratio, small_});
  }

  bool only_train_;
  std::optional<double> distance_;
  double large_;
  double small_;
  double epsilon_;
  std::map<std::uint32_t, std::deque<Weights>> earlier_; ///< the oldest that still counts first
};

std::unique_ptr<TensorWatch> watch_weight_update_ratio(const WatchScope& scope,
                                                       const ParameterValues& parameters,
                                                       Firings& firings) {
  const std::array<std::string, 1> weights = {"weights"};
  firings.explain("the job did not save its weights at two steps or more");
  return std::make_unique<WeightUpdateRatioWatch>(scope, scope.names.in_collections(weights),
                                                  parameters, firings);
}

} // namespace

Rule weight_update_ratio_rule() {
  return {{.name = "WeightUpdateRatio",
           .group = RuleGroup::deep_learning,
           .looks_at = RuleInputKind::tensors,
           .description = "Compares how much weights change with how large they are.",
           .recommendation = "Lower the learning rate where updates are too large. Where weights "
                             "do not change, check that they are trained and get gradients.",
           .parameters = {{"num_steps", ParameterType::optional_integer, "None", 1, 1e9, "steps",
                           "Distance of the steps to compare; None: the saved step before"},
                          {"large_threshold", ParameterType::number, "10", 0, 1e12, "",
                           "Ratio above which updates are too large"},
                          {"small_threshold", ParameterType::number, "1e-08", 0, 1e12, "",
                           "Ratio below which weights do not change"},
                          {"epsilon", ParameterType::number, "1e-09", 0, 1, "",
                           "Added to the weights, so that nothing is divided by zero"}},
           .shows_layers = true},
          nullptr,
          watch_weight_update_ratio};
}

} // namespace debrief::rules::model
