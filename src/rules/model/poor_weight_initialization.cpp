// PoorWeightInitialization: do layers differ too much in their first steps, or get hardly any
// gradient?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>

namespace debrief::rules::model {

namespace {

/// As numpy has it: between two values in proportion.
double percentile(std::vector<double>& values, double share) {
  const double place = share * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
  std::nth_element(values.begin(), at, values.end());
  const double low = *at;
  if (below + 1 == values.size()) return low;
  const double high = *std::min_element(at + 1, values.end());
  return low + (high - low) * (place - static_cast<double>(below));
}

class PoorInitializationWatch final : public RuleWatch {
public:
  PoorInitializationWatch(const WatchScope& scope, TensorIds inputs, TensorIds gradients,
                          TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , inputs_(std::move(inputs))
      , gradients_(std::move(gradients))
      , only_train_(scope.trains)
      , threshold_(parameters.number("threshold"))
      , range_(parameters.number("distribution_range"))
      , steps_(parameters.count("steps")) {}

  bool done() const override {
    return (inputs_.empty() || input_steps_ >= steps_) &&
           (gradients_.empty() || gradient_steps_ >= steps_);
  }

  void see(const SeenTensor& tensor) override {
    const auto is_one_of = [&](const TensorIds& ids) {
      return std::binary_search(ids.begin(), ids.end(), tensor.tensor);
    };
    if (input_steps_ < steps_ && is_one_of(inputs_) &&
        (!only_train_ || tensor.step.mode == job::TensorMode::train))
      if (const auto variance = tensor.variance()) variances_.push_back(*variance);
    if (gradient_steps_ < steps_ && is_one_of(gradients_) && tensor.has_numbers() &&
        !tensor.data->values.empty()) {
      has_gradients_ = true;
      if (tensor.counts().nans > 0) return;
      std::vector<double> values = tensor.data->values;
      const double low = percentile(values, 0.05);
      const double spread = percentile(values, 0.95) - low;
      if (spread < spread_) {
        spread_ = spread;
        narrowest_ = tensor.name;
      }
    }
  }

  void end_step(const job::TensorStep& step) override {
    if (!variances_.empty()) {
      ++input_steps_;
      judge_variances(step.step);
    }
    if (has_gradients_) {
      ++gradient_steps_;
      firings().looked();
      if (spread_ < range_)
        firings().add(narrowest_, step.step,
                      {"range of the gradient from the 5th to the 95th percentile", "below",
                       spread_, range_});
    }
    variances_.clear();
    has_gradients_ = false;
    spread_ = std::numeric_limits<double>::infinity();
  }

private:
  void judge_variances(std::int64_t step) {
    if (variances_.size() < 2) return;
    firings().looked();
    const auto [least, most] = std::minmax_element(variances_.begin(), variances_.end());
    const double ratio = *least > 0 ? *most / *least : std::numeric_limits<double>::infinity();
    if (ratio > threshold_)
      firings().add(
          "activation inputs", step,
          {"ratio of the layers' largest to smallest variance", "above", ratio, threshold_});
  }

  TensorIds inputs_;
  TensorIds gradients_;
  bool only_train_;
  double threshold_;
  double range_;
  std::size_t steps_;
  std::size_t input_steps_ = 0; ///< in which inputs were seen
  std::size_t gradient_steps_ = 0;
  std::vector<double> variances_; ///< of the step's inputs
  bool has_gradients_ = false;
  double spread_ = std::numeric_limits<double>::infinity(); ///< of the step's narrowest gradient
  std::string narrowest_;
};

std::unique_ptr<TensorWatch> watch_poor_initialization(const WatchScope& scope,
                                                       const ParameterValues& parameters,
                                                       Firings& firings) {
  const std::array<std::string, 1> collection = {"gradients"};
  TensorIds inputs = scope.names.matching(parameters.list("activation_inputs_regex"));
  TensorIds gradients = scope.names.in_collections(collection);
  TensorIds wanted;
  std::set_union(inputs.begin(), inputs.end(), gradients.begin(), gradients.end(),
                 std::back_inserter(wanted));
  firings.explain("the job saved neither gradients nor inputs of two activations");
  return std::make_unique<PoorInitializationWatch>(scope, std::move(inputs), std::move(gradients),
                                                   std::move(wanted), parameters, firings);
}

} // namespace

Rule poor_weight_initialization_rule() {
  return {{.name = "PoorWeightInitialization",
           .group = RuleGroup::deep_learning,
           .looks_at = RuleInputKind::tensors,
           .description = "Checks in the first steps that the layers' inputs vary alike, and that "
                          "gradients are not all nearly the same.",
           .recommendation = "Initialize weights by the size of their layer (Kaiming or Xavier), "
                             "and scale the inputs.",
           .parameters = {patterns_parameter("activation_inputs_regex", ".*relu_input",
                                             "Regular expression of the activations' inputs"),
                          {"threshold", ParameterType::number, "10", 1, 1e12, "",
                           "Ratio of the largest to the smallest variance above which the rule "
                           "triggers"},
                          {"distribution_range", ParameterType::number, "0.001", 0, 1e12, "",
                           "Range from the 5th to the 95th percentile of a gradient below which "
                           "the rule triggers"},
                          {"patience", ParameterType::integer, "5", 0, 1e9, "steps",
                           "Steps until the loss counts as no longer falling; see the "
                           "documentation of differences"},
                          {"steps", ParameterType::integer, "10", 1, 1e9, "steps",
                           "How many of the first saved steps to look at"}}},
          nullptr,
          watch_poor_initialization};
}

} // namespace debrief::rules::model
