// AllZero: are all values of a tensor zero, or too many of them?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"
#include "util/pattern.h"

#include <algorithm>

namespace debrief::rules::model {

namespace {

constexpr const char* kEveryTensor = ".*";

/// Zero by nature: ids of trees, SHAP values of features that are not used, Keras' batch number.
bool is_bookkeeping(const std::string& name) {
  return name.starts_with("trees/") || name.starts_with("average_shap/") ||
         name.starts_with("full_shap/") || name == "batch" || name == "val_batch";
}

class AllZeroWatch final : public RuleWatch {
public:
  AllZeroWatch(TensorIds wanted, double threshold, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , threshold_(threshold) {}

  void see(const SeenTensor& tensor) override {
    const auto zero = zero_percent(tensor);
    if (!zero) return;
    firings().looked();
    if (*zero >= threshold_)
      firings().add(tensor.name, tensor.step.step,
                    {"percentage of zeros", "at least", *zero, threshold_});
  }

private:
  /// Reductions only say whether all values are zero.
  static std::optional<double> zero_percent(const SeenTensor& tensor) {
    if (tensor.has_numbers()) {
      if (tensor.data->values.empty()) return std::nullopt;
      return 100.0 * static_cast<double>(tensor.counts().zeros) /
             static_cast<double>(tensor.data->values.size());
    }
    const auto saved = [&](job::Reduction reduction) {
      return tensor.reductions[static_cast<std::size_t>(reduction)];
    };
    if (const auto most = saved(job::Reduction::abs_max)) return *most == 0 ? 100 : 0;
    const auto min = saved(job::Reduction::min);
    const auto max = saved(job::Reduction::max);
    if (!min || !max) return std::nullopt;
    return *min == 0 && *max == 0 ? 100 : 0;
  }

  double threshold_;
};

std::unique_ptr<TensorWatch> watch_all_zero(const WatchScope& scope,
                                            const ParameterValues& parameters, Firings& firings) {
  const auto patterns = parameters.list("tensor_regex");
  TensorIds wanted = scope.names.selected(parameters.list("collection_names"), patterns);
  if (patterns.size() == 1 && patterns.front() == kEveryTensor)
    std::erase_if(wanted, [&](std::uint32_t id) { return is_bookkeeping(scope.names[id]); });
  return std::make_unique<AllZeroWatch>(std::move(wanted), parameters.number("threshold"), firings);
}

} // namespace

Rule all_zero_rule() {
  std::vector<Parameter> parameters = selection_parameters("None", kEveryTensor);
  parameters.push_back(
      percent_parameter("threshold", "100", "Percentage of zeros from which the rule triggers"));
  return {{.name = "AllZero",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors,
           .description = "Finds tensors of which all values, or too many of them, are zero.",
           .recommendation = "Check initialization, learning rate and activation of the layers "
                             "behind these tensors. Gradients of zero mean that a layer no longer "
                             "learns.",
           .parameters = std::move(parameters)},
          nullptr,
          watch_all_zero};
}

} // namespace debrief::rules::model
