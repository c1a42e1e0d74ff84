// FeatureImportanceOverweight: do a few features decide nearly everything?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace debrief::rules::model {

namespace {

class FeatureImportanceWatch final : public RuleWatch {
public:
  FeatureImportanceWatch(TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , threshold_(parameters.number("threshold"))
      , features_(parameters.count("nfeatures")) {}

  void see(const SeenTensor& tensor) override {
    const auto weight = tensor.scalar();
    if (!weight) return;
    if (weights_.empty() || *weight > weights_.front()) heaviest_ = tensor.name;
    weights_.push_back(*weight);
    // The front has the largest weight so far.
    if (weights_.back() > weights_.front()) std::swap(weights_.back(), weights_.front());
  }

  void end_step(const job::TensorStep& step) override {
    if (!weights_.empty()) {
      firings().looked();
      const double total = std::accumulate(weights_.begin(), weights_.end(), 0.0);
      std::sort(weights_.begin(), weights_.end(), std::greater<>{});
      weights_.resize(std::min(weights_.size(), features_));
      const double share = std::accumulate(weights_.begin(), weights_.end(), 0.0) / total;
      if (share > threshold_)
        firings().add(heaviest_, step.step,
                      {"share of the largest features together", "above", share, threshold_});
    }
    weights_.clear();
  }

private:
  double threshold_;
  std::size_t features_;
  std::string heaviest_;
  std::vector<double> weights_; ///< of the step
};

std::unique_ptr<TensorWatch> watch_feature_importance(const WatchScope& scope,
                                                      const ParameterValues& parameters,
                                                      Firings& firings) {
  firings.explain("no saved feature importance matches tensor_regex");
  return std::make_unique<FeatureImportanceWatch>(
      scope.names.matching(parameters.list("tensor_regex")), parameters, firings);
}

} // namespace

Rule feature_importance_overweight_rule() {
  return {{.name = "FeatureImportanceOverweight",
           .group = RuleGroup::xgboost,
           .looks_at = RuleInputKind::tensors,
           .description = "Checks whether a few features have nearly all of the importance.",
           .recommendation = "Check that these features do not give the label away, and that the "
                             "other features reach the model.",
           .parameters = {{"threshold", ParameterType::number, "0.8", 0, 1, "",
                           "Share of the largest features above which the rule triggers"},
                          {"nfeatures", ParameterType::integer, "3", 1, 1e6, "features",
                           "How many of the largest features count together"},
                          tensor_regex_parameter(".*feature_importance/weight")}},
          nullptr,
          watch_feature_importance};
}

} // namespace debrief::rules::model
