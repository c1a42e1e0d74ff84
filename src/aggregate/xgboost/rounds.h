// Labels and predictions of the validation data, as SageMaker Debugger's hook saved them: round by
// round, loaded when they are asked for.
#pragma once

#include "job/tensors.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

/// Whether XGBoost's hook saved the tensors: it names them after features, trees and parameters.
bool are_of_xgboost(const job::TensorTable& table);

/// Rows of one round. Those with a value that is not finite are left out.
struct ValidationRows {
  std::vector<double> labels; ///< one for each row; empty: none was saved
  /// `columns` for each row; empty: none was saved, or not as many as labels.
  std::vector<double> predictions;
  std::size_t columns = 1;
  std::int64_t left_out = 0;
  std::int64_t workers = 0;
  bool rows_differ = false;    ///< a worker's labels and predictions are not equally many
  bool labels_reused = false;  ///< of another round
  bool workers_joined = false; ///< several workers, each with its own rows
  bool workers_alike = false;  ///< several workers with the same rows
};

class ValidationRounds {
public:
  /// `classes` of the model, where they are known: predictions of several classes may be saved as
  /// one long row.
  ValidationRounds(const job::TensorTable& table, std::optional<std::int64_t> classes,
                   job::Troubles& lost);

  /// Rounds with predictions, else those with labels; ascending.
  const std::vector<std::int64_t>& rounds() const { return rounds_; }

  bool has_predictions() const { return predictions_saved_; }

  bool has_labels() const { return !last_labels_.empty(); }

  ValidationRows load(std::int64_t round, job::Troubles& lost) const;

private:
  /// What a worker saved of a round.
  struct Part {
    std::vector<double> labels;
    std::vector<double> predictions;
    std::size_t columns = 1;
  };

  std::span<const job::TensorStep> steps_of(std::int64_t round) const;
  const job::TensorRecord* record_of(const job::TensorStep& step,
                                     const std::optional<std::uint32_t>& tensor) const;
  Part part_of(const job::TensorStep& step, job::Troubles& lost) const;
  void find_last_labels(job::Troubles& lost);
  std::size_t columns_of(const Part& part) const;

  const job::TensorTable& table_;
  std::optional<std::int64_t> classes_;
  std::optional<std::uint32_t> labels_;
  std::optional<std::uint32_t> predictions_;
  bool predictions_saved_ = false;
  std::vector<std::int64_t> rounds_;
  std::map<std::uint32_t, std::vector<double>> last_labels_; ///< by worker
};

} // namespace debrief::aggregate
