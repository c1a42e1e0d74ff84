// What each run of a job logged of its model: its loss in training and in evaluation, and what
// stands beside them as evidence.
#pragma once

#include "job/scalars.h"
#include "util/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

/// Series are null where the run has none. At least one of the losses is there.
struct ModelLog {
  const job::ScalarSeries* train = nullptr; ///< the loss; never a part of it (util/loss_name.h)
  const job::ScalarSeries* evaluation = nullptr;
  const job::ScalarSeries* gradient = nullptr; ///< its norm
  const job::ScalarSeries* learning_rate = nullptr;
  const job::ScalarSeries* accuracy = nullptr; ///< of evaluation, else of training
  /// Reinforcement learning: the loss follows the rewards, and its course says nothing.
  bool is_rewarded = false;
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

/// Of values that stand for those of a series.
Course course_of(const job::ScalarSeries& series, std::span<const double> values);

/// Evaluations: a script that logs in every step writes 0 where it did not evaluate.
Course evaluations_of(const job::ScalarSeries& series);

/// When a step was logged, by the run's own series, else by any that has times.
std::optional<Microseconds> time_of(std::int64_t step, const ModelLog& log,
                                    std::span<const job::ScalarSeries> scalars);

/// As the curves call it: with its run where several have the name. What is not among them comes
/// with its tool.
std::string shown_name(const job::ScalarSeries& series, std::span<const job::ScalarSeries> scalars);

} // namespace debrief::findings
