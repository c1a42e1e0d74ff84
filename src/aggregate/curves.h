// What the training script logged, as the result shows it: each scalar with its topic, its extremes
// and its course, and what the log says about the speed of training.
#pragma once

#include "job/job.h"
#include "result/curves.h"
#include "result/result.h"

#include <string_view>
#include <vector>

namespace debrief::aggregate {

struct ScalarMeaning {
  result::CurveTopic topic = result::CurveTopic::other;
  result::CurveSplit split = result::CurveSplit::unknown;
};

/// By its name: "val_loss_epoch" is a loss, of evaluation. A Keras run's folder counts, too.
ScalarMeaning meaning_of_scalar(std::string_view name, std::string_view run);

/// The values of a training loss, NaN where the log has 0 in its place: Hugging Face's Trainer
/// writes a loss of NaN as 0, and the gradient's norm of the same step tells. `gradient` may be
/// null.
std::vector<double> true_losses(const job::ScalarSeries& loss, const job::ScalarSeries* gradient);

/// `summary` gives the job's start and its GPUs.
result::Curves curves(const job::Job& job, const result::JobSummary& summary);

} // namespace debrief::aggregate
