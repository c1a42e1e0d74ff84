// What each run of a job logged of its model: its loss in training and in evaluation, or what
// stands in for it, and what stands beside them as evidence.
#pragma once

#include "job/scalars.h"
#include "util/time.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

/// What a series measures. Where no loss was logged, another measure stands in for it.
enum class Measure : std::uint8_t { loss, perplexity, accuracy };

/// A series that is judged, null where there is none.
struct Judged {
  const job::ScalarSeries* series = nullptr;
  Measure measure = Measure::loss;

  explicit operator bool() const { return series != nullptr; }

  /// A perplexity is a loss in other units, an accuracy is none.
  bool is_loss() const { return series != nullptr && measure != Measure::accuracy; }
};

/// At least one of what is judged is there; other series are null where the run has none.
struct ModelLog {
  Judged train; ///< never a part of a loss (util/loss_name.h)
  Judged evaluation;
  const job::ScalarSeries* gradient = nullptr; ///< its norm
  const job::ScalarSeries* learning_rate = nullptr;
  std::array<const job::ScalarSeries*, 2> accuracies = {}; ///< of evaluation, of training
  /// Reinforcement learning: the loss follows the rewards, and its course says nothing.
  bool is_rewarded = false;

  /// Of evaluation, else of training.
  const job::ScalarSeries* accuracy() const {
    return accuracies[0] == nullptr ? accuracies[1] : accuracies[0];
  }
};

/// Finite values and their steps.
struct Course {
  std::vector<std::int64_t> steps;
  std::vector<double> values;

  std::size_t size() const { return values.size(); }

  Course without_last() const;
};

/// By run. An evaluation that was logged apart belongs to the training, where there is only one.
/// `repeated` is what other tools logged of the same scalars.
std::vector<ModelLog> model_logs(std::span<const job::ScalarSeries> scalars,
                                 std::span<const job::ScalarSeries> repeated);

/// What falls as a model learns: the logarithm of a perplexity, an accuracy with its sign changed.
double as_loss(Measure measure, double logged);

/// The other way round.
double as_logged(Measure measure, double loss);

/// Of values that stand for those of a series.
Course course_of(const job::ScalarSeries& series, std::span<const double> values);

/// All that was logged, as losses.
Course as_losses(const Judged& judged);

/// Evaluations, as losses: a script that logs in every step writes 0 where it did not evaluate.
Course evaluations_of(const Judged& evaluation);

/// When a step was logged, by the run's own series, else by any that has times.
std::optional<Microseconds> time_of(std::int64_t step, const ModelLog& log,
                                    std::span<const job::ScalarSeries> scalars);

/// As the curves call it: with its run where several have the name. What is not among them comes
/// with its tool.
std::string shown_name(const job::ScalarSeries& series, std::span<const job::ScalarSeries> scalars);

} // namespace debrief::findings
