// ClassImbalance: does the training data have far more of one class than of another, and does the
// model get a class wrong?
#include "rules/model/classes.h"
#include "rules/model/model_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace debrief::rules::model {

namespace {

class ClassImbalanceWatch final : public ClassWatch {
public:
  ClassImbalanceWatch(const WatchScope& scope, const ParameterValues& parameters, Firings& firings)
      : ClassWatch(scope, parameters.text("labels_regex"), parameters.text("predictions_regex"),
                   parameters.flag("argmax"), firings)
      , imbalance_(parameters.number("threshold_imbalance"))
      , misprediction_(parameters.number("threshold_misprediction"))
      , samples_(parameters.number("samples")) {}

protected:
  void judge(const ClassedStep& step) override {
    for (std::size_t i = 0; i < step.labels.size(); ++i) {
      Class& seen = classes_[step.labels[i]];
      ++seen.count;
      if (step.predictions.empty()) continue;
      ++seen.predicted;
      if (step.predictions[i] != step.labels[i]) ++seen.wrong;
    }
    total_ += static_cast<double>(step.labels.size());
    if (classes_.empty()) return;
    if (total_ < samples_) {
      firings().explain(fmt::format("only {} labels were seen, fewer than samples", total_));
      return;
    }
    const auto fewer = [](const auto& a, const auto& b) { return a.second.count < b.second.count; };
    const auto [least, most] = std::minmax_element(classes_.begin(), classes_.end(), fewer);
    const double ratio = most->second.count / least->second.count;
    firings().look(0, labels_name(), step.step, ratio > imbalance_,
                   {"ratio of the largest to the smallest class", "above", ratio, imbalance_});
    double worst = 0;
    for (const auto& [label, seen] : classes_)
      if (seen.predicted > 0) worst = std::max(worst, seen.wrong / seen.predicted);
    firings().look(1, labels_name(), step.step, worst > misprediction_,
                   {"share of a class that is mispredicted", "above", worst, misprediction_});
  }

private:
  struct Class {
    double count = 0;
    double predicted = 0;
    double wrong = 0;
  };

  double imbalance_;
  double misprediction_;
  double samples_;
  double total_ = 0;
  std::map<std::int64_t, Class> classes_; ///< of all steps so far
};

std::unique_ptr<TensorWatch> watch_class_imbalance(const WatchScope& scope,
                                                   const ParameterValues& parameters,
                                                   Firings& firings) {
  return std::make_unique<ClassImbalanceWatch>(scope, parameters, firings);
}

} // namespace

Rule class_imbalance_rule() {
  return {{.name = "ClassImbalance",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors,
           .description = "Compares how often each class occurs, and how often the model gets it "
                          "wrong.",
           .recommendation = "Sample rare classes more often, weight the loss by class, or collect "
                             "more data of them.",
           .parameters = {{"threshold_imbalance", ParameterType::number, "10", 1, 1e9, "",
                           "Ratio of the largest to the smallest class above which the rule "
                           "triggers"},
                          {"threshold_misprediction", ParameterType::number, "0.7", 0, 1, "",
                           "Share of a class that is mispredicted above which the rule triggers"},
                          {"samples", ParameterType::integer, "500", 0, 1e12, "labels",
                           "Labels to collect before the rule runs"},
                          flag_parameter("argmax", "False",
                                         "Predictions are probabilities of classes; a table of "
                                         "them is recognized without"),
                          patterns_parameter("labels_regex", ".*labels",
                                             "Regular expression of the tensor with labels"),
                          patterns_parameter("predictions_regex", ".*predictions",
                                             "Regular expression of the tensor with "
                                             "predictions")}},
          nullptr,
          watch_class_imbalance};
}

} // namespace debrief::rules::model
