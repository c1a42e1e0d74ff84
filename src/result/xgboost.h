// What an XGBoost job says about its model: labels and predictions of the validation data, which
// features the trees use, and the trees themselves. Predictions are those that were saved last,
// unless a field says otherwise.
#pragma once

#include "result/enum_names.h"
#include "result/histogram.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// What is predicted: by the objective, else by what labels and predictions look like.
enum class ProblemType { binary, multiclass, regression, ranking, unknown };

template <>
inline constexpr auto kNames<ProblemType> =
    std::to_array<const char*>({"binary", "multiclass", "regression", "ranking", "unknown"});

/// Why a part of the report is not there, or not what one would expect.
enum class XgboostGap {
  no_labels,
  no_predictions,
  rows_differ,             ///< labels and predictions of a round are not equally many
  labels_not_whole,        ///< of a classifier: they are taken as values
  predictions_not_classes, ///< of a classifier for several classes: neither classes nor shares
  too_many_classes,
  one_class,       ///< labels are all of one class: there is no ROC curve
  not_finite,      ///< rows were left out
  labels_reused,   ///< of another round, where a round has none
  workers_joined,  ///< rows of all workers together
  workers_alike,   ///< all workers saved the same rows: one of them is taken
  margins,         ///< predictions are margins, not probabilities: the threshold is 0
  rounds_left_out, ///< over rounds, an even choice of them is evaluated
  no_importance,
  no_loss,
};

template <>
inline constexpr auto kNames<XgboostGap> = std::to_array<const char*>(
    {"no_labels", "no_predictions", "rows_differ", "labels_not_whole", "predictions_not_classes",
     "too_many_classes", "one_class", "not_finite", "labels_reused", "workers_joined",
     "workers_alike", "margins", "rounds_left_out", "no_importance", "no_loss"});

/// One loss of one data set over the rounds. Its course is the scalar of that name in Curves.
struct EvalLoss {
  std::string set;    ///< "train"
  std::string scalar; ///< "train-logloss"
  std::optional<double> first;
  std::optional<double> last;
  std::optional<double> best;
  std::optional<std::int64_t> best_round;
  std::optional<std::int64_t> last_round;
};

struct FeatureImportance {
  std::string name;
  std::optional<double> weight; ///< splits
  std::optional<double> gain;   ///< mean gain of a split
  std::optional<double> cover;  ///< mean of the samples' second derivatives that reach a split
  std::optional<double> total_gain;
  std::optional<double> total_cover;
};

/// A file that has the trees.
struct SavedModel {
  std::string file;
  std::string version; ///< of XGBoost: "3.2.0"
  std::string booster; ///< "gbtree"
  std::int64_t trees = 0;
  std::optional<std::int64_t> rounds;
  std::optional<std::int64_t> best_round;
  std::optional<std::int64_t> features; ///< of the training data
  std::optional<std::int64_t> classes;
  std::int64_t splits = 0;
  std::int64_t leaves = 0;
  std::vector<std::int64_t> trees_by_depth; ///< how many have depth 0, 1, …
};

struct ClassRow {
  std::int64_t label = 0;
  std::int64_t rows = 0;                 ///< labels of the class
  std::optional<std::int64_t> predicted; ///< rows that were predicted to be of the class
  std::optional<std::int64_t> right;
  std::optional<double> precision; ///< absent where it was never predicted
  std::optional<double> recall;    ///< absent where no label is of it
  std::optional<double> f1;
};

/// Over classes, as scikit-learn has them: what is undefined for a class counts as 0.
struct ClassAverage {
  std::optional<double> precision;
  std::optional<double> recall;
  std::optional<double> f1;
};

struct Mistake {
  std::int64_t label = 0;
  std::int64_t predicted = 0;
  std::int64_t rows = 0;
};

/// A class's recall over the rounds of Xgboost::rounds; absent where no label is of it.
struct ClassAccuracy {
  std::int64_t label = 0;
  std::vector<std::optional<double>> values;
};

struct Classification {
  std::vector<ClassRow> classes; ///< of labels and predictions, by label
  /// Rows by label, then by prediction, in the order of `classes`; empty where there are no
  /// predictions, or more than kMaxMatrix classes.
  std::vector<std::vector<std::int64_t>> matrix;
  std::vector<Mistake> mistakes; ///< most frequent first, at most kMaxMistakes
  std::optional<double> accuracy;
  ClassAverage micro;
  ClassAverage macro;
  ClassAverage weighted;
  std::vector<ClassAccuracy> over_rounds; ///< of the least accurate kMaxMatrix classes

  bool empty() const { return classes.empty(); }
};

struct RocPoint {
  std::optional<double> threshold; ///< predictions from it on count as class 1; absent: none does
  double false_positives = 0;      ///< share of class 0
  double true_positives = 0;       ///< share of class 1
};

struct Roc {
  double auc = 0; ///< of all predictions, not only of `points`
  std::int64_t positives = 0;
  std::int64_t negatives = 0;
  RocPoint used;                ///< threshold of the confusion matrix
  RocPoint best;                ///< where true minus false positives is largest
  std::vector<RocPoint> points; ///< at most a few hundred of the curve

  bool empty() const { return points.empty(); }
};

/// Values of a column.
struct Distribution {
  std::int64_t count = 0;
  std::optional<double> mean;
  std::optional<double> stddev; ///< of the population
  std::optional<double> skewness;
  std::optional<double> min;
  std::optional<double> p05;
  std::optional<double> p50;
  std::optional<double> p95;
  std::optional<double> max;
  Histogram histogram;

  bool empty() const { return count == 0; }
};

struct LabelBin {
  std::optional<double> from;
  std::optional<double> to;
  std::int64_t rows = 0;
  std::vector<std::optional<double>> errors; ///< mean absolute error over Xgboost::rounds
};

struct Regression {
  std::optional<double> rmse;
  std::optional<double> mae;
  std::optional<double> r2;   ///< absent where all labels are equal
  Distribution residuals;     ///< label minus prediction
  std::vector<LabelBin> bins; ///< ten of equal width

  bool empty() const { return residuals.empty(); }
};

struct Xgboost {
  ProblemType problem = ProblemType::unknown;
  std::string objective; ///< "binary:logistic"; empty where nothing says it
  std::vector<XgboostGap> gaps;
  std::optional<SavedModel> model;
  std::string loss; ///< "logloss"; empty where none was logged
  std::vector<EvalLoss> losses;
  std::string importance_source; ///< the model's file, or "debug-output"; empty where none has it
  std::optional<std::int64_t> importance_round; ///< of debug-output, whose values sum to 1
  std::vector<FeatureImportance> importance;    ///< by total gain; at most kMaxFeatures
  std::int64_t features_left_out = 0;
  std::optional<std::int64_t> round; ///< whose labels and predictions these are
  std::int64_t rows = 0;             ///< that were evaluated
  std::int64_t rows_left_out = 0;    ///< with values that are not finite
  std::int64_t workers = 0;          ///< that saved them
  std::int64_t saved_rounds = 0;     ///< with predictions
  std::vector<std::int64_t> rounds;  ///< of these, those that are evaluated over time
  Distribution labels;               ///< of values; classes are counted in `classification`
  Classification classification;
  Roc roc;
  Regression regression;

  bool empty() const {
    return !model && losses.empty() && importance.empty() && !round && gaps.empty();
  }
};

inline constexpr std::size_t kMaxMatrix = 50;
inline constexpr std::size_t kMaxMistakes = 200;
inline constexpr std::size_t kMaxClasses = 1000;
inline constexpr std::size_t kMaxFeatures = 300;
inline constexpr std::size_t kMaxRounds = 100;
inline constexpr std::size_t kLabelBins = 10;

} // namespace debrief::result
