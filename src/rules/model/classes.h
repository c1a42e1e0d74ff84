// Labels and predictions of a step as classes, for the rules that compare them.
#pragma once

#include "rules/model/tensor_watch.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::rules::model {

/// Labels of one step and, where they were saved, what the model predicted for them.
struct ClassedStep {
  std::int64_t step = 0;
  std::vector<std::int64_t> labels;
  std::vector<std::int64_t> predictions; ///< empty where they were not saved
  std::int64_t columns = 1; ///< of a prediction: more than one are the classes' probabilities
};

/// Pairs the first tensor that matches each pattern.
class ClassWatch : public RuleWatch {
public:
  /// `argmax`: predictions are the classes' probabilities, whatever their shape says.
  ClassWatch(const WatchScope& scope, const std::string& labels_pattern,
             const std::string& predictions_pattern, bool argmax, Firings& firings);

  void see(const SeenTensor& tensor) override;
  void end_step(const job::TensorStep& step) override;
  void finish() override;

protected:
  virtual void judge(const ClassedStep& step) = 0;

  const std::string& labels_name() const { return labels_name_; }

private:
  std::optional<std::uint32_t> labels_;
  std::optional<std::uint32_t> predictions_;
  std::string labels_name_;
  bool argmax_;
  std::optional<bool> are_classes_; ///< known after the first step
  bool seen_ = false;
  ClassedStep current_;
};

} // namespace debrief::rules::model
