// Confusion: which classes does the model mistake for which?
//
// A matrix counts labels (rows) against predictions (columns). Shares are of a column: of all that
// was predicted to be a class, how much is of it.
#include "rules/model/classes.h"
#include "rules/model/model_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace debrief::rules::model {

namespace {

constexpr std::int64_t kMostCategories = 1000; ///< the matrix has their square

class ConfusionWatch final : public ClassWatch {
public:
  ConfusionWatch(const WatchScope& scope, const ParameterValues& parameters, Firings& firings)
      : ClassWatch(scope, pattern_of(parameters, "labels"), pattern_of(parameters, "predictions"),
                   false, firings)
      , categories_(parameters.optional_number("category_no"))
      , min_diagonal_(parameters.number("min_diag"))
      , max_off_diagonal_(parameters.number("max_off_diag")) {}

protected:
  void judge(const ClassedStep& step) override {
    if (step.predictions.empty()) {
      firings().explain("the job saved no predictions");
      return;
    }
    const std::int64_t size = size_of(step);
    if (size < 2 || size > kMostCategories) {
      firings().explain("labels and predictions are not two to a thousand classes");
      return;
    }
    const auto columns = static_cast<std::size_t>(size);
    std::vector<double> matrix(columns * columns);
    std::vector<double> predicted(columns);
    for (std::size_t i = 0; i < step.labels.size(); ++i) {
      const std::int64_t row = step.labels[i];
      const std::int64_t column = step.predictions[i];
      if (row < 0 || column < 0 || row >= size || column >= size) continue;
      ++matrix[static_cast<std::size_t>(row) * columns + static_cast<std::size_t>(column)];
      ++predicted[static_cast<std::size_t>(column)];
    }
    firings().looked();
    report(step.step, matrix, predicted);
  }

private:
  /// An exact name: SageMaker names a tensor or a collection of one.
  static std::string pattern_of(const ParameterValues& parameters, const std::string& name) {
    std::string out = "^";
    for (const char c : parameters.text(name)) {
      if (std::isalnum(static_cast<unsigned char>(c)) == 0) out += '\\';
      out += c;
    }
    return out + "$";
  }

  std::int64_t size_of(const ClassedStep& step) const {
    if (categories_) return static_cast<std::int64_t>(*categories_);
    const auto most = [](const std::vector<std::int64_t>& values) {
      return values.empty() ? -1 : *std::max_element(values.begin(), values.end());
    };
    const std::int64_t seen = std::max(most(step.labels), most(step.predictions)) + 1;
    return step.columns > 1 ? std::max(seen, step.columns) : seen;
  }

  void report(std::int64_t step, const std::vector<double>& matrix,
              const std::vector<double>& predicted) {
    const std::size_t size = predicted.size();
    double diagonal = std::numeric_limits<double>::infinity();
    double off_diagonal = 0;
    for (std::size_t column = 0; column < size; ++column) {
      if (predicted[column] == 0) {
        diagonal = 0; // a class that is never predicted is never right
        continue;
      }
      for (std::size_t row = 0; row < size; ++row) {
        const double share = matrix[row * size + column] / predicted[column];
        if (row == column)
          diagonal = std::min(diagonal, share);
        else
          off_diagonal = std::max(off_diagonal, share);
      }
    }
    if (diagonal < min_diagonal_)
      firings().add(
          labels_name(), step,
          {"share of a class's predictions that are right", "below", diagonal, min_diagonal_});
    if (off_diagonal > max_off_diagonal_)
      firings().add(labels_name(), step,
                    {"share of a class's predictions that are of one other class", "above",
                     off_diagonal, max_off_diagonal_});
  }

  std::optional<double> categories_;
  double min_diagonal_;
  double max_off_diagonal_;
};

std::unique_ptr<TensorWatch> watch_confusion(const WatchScope& scope,
                                             const ParameterValues& parameters, Firings& firings) {
  return std::make_unique<ConfusionWatch>(scope, parameters, firings);
}

} // namespace

Rule confusion_rule() {
  return {
      {.name = "Confusion",
       .group = RuleGroup::xgboost,
       .looks_at = RuleInputKind::tensors,
       .description = "Compares predictions with labels, class by class.",
       .recommendation = "Look at the classes that are mistaken for each other: their labels, "
                         "their features, and how many samples each has.",
       .parameters = {{"category_no", ParameterType::optional_integer, "None", 2,
                       static_cast<double>(kMostCategories), "classes",
                       "Number of classes; None: as many as there are"},
                      text_parameter("labels", "labels", "Tensor with the labels"),
                      text_parameter("predictions", "predictions", "Tensor with the predictions"),
                      text_parameter("labels_collection", "labels",
                                     "Collection of the labels; the tensor's name is enough"),
                      text_parameter("predictions_collection", "predictions",
                                     "Collection of the predictions; the tensor's name is "
                                     "enough"),
                      {"min_diag", ParameterType::number, "0.9", 0, 1, "",
                       "Share of a class's predictions that must be right"},
                      {"max_off_diag", ParameterType::number, "0.1", 0, 1, "",
                       "Share of a class's predictions that may be of one other class"}}},
      nullptr,
      watch_confusion};
}

} // namespace debrief::rules::model
