// Whether the model still learned, by what the training script logged: from which step on the loss
// was broken, went nowhere, or told of a model that only learned its training data by heart.
#pragma once

#include "findings/model_log.h"
#include "job/scalars.h"
#include "result/findings.h"
#include "util/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

/// A score that got better while the loss did not.
struct BetterScore {
  std::string scalar;
  double before = 0;
  double after = 0;
};

/// What is wrong with the model, and from when on.
struct ModelTrouble {
  result::FindingKind kind = result::FindingKind::diverged;
  std::int64_t step = 0;            ///< the first that was for nothing
  std::int64_t last_step = 0;       ///< the last that was logged
  std::optional<Microseconds> time; ///< of the step; absent where no log has times
  std::string scalar;               ///< the one that tells: "train/loss"
  bool of_evaluation = false;       ///< ... which is of evaluation
  Measure measure = Measure::loss;  ///< ... and what it measures
  Measure training = Measure::loss; ///< what tells of training beside an evaluation
  std::int64_t points = 0;          ///< how many values of it were logged
  bool not_finite = false;          ///< diverged: NaN or infinity, else the loss rose and stayed up
  std::optional<std::int64_t>
      gradient_step;            ///< diverged: the first gradient norm that is not finite
  std::optional<double> before; ///< the best level, or the level at the start, as logged
  std::optional<double> after;  ///< the level at the end; absent where it is NaN
  bool is_plateau = false; ///< loss_not_decreasing: it fell to where a model knows only frequencies
  std::optional<BetterScore> better = {}; ///< of what is past its best
  std::vector<ModelTrouble> beside = {};  ///< loss_not_decreasing: an evaluation that is constant

  /// Whether the steps from `step` on were for nothing.
  bool wastes_steps() const { return kind != result::FindingKind::constant_evaluation && !better; }
};

/// The gravest trouble of all runs that logged a loss; nothing where all is well, or too little was
/// logged to say. `repeated` is what other tools logged of the same scalars.
std::optional<ModelTrouble> find_model_trouble(std::span<const job::ScalarSeries> scalars,
                                               std::span<const job::ScalarSeries> repeated = {});

} // namespace debrief::findings
