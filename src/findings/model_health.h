// Whether the model still learned, by what the training script logged: from which step on the loss
// was broken, went nowhere, or told of a model that only learned its training data by heart.
//
// Noise is no trouble: levels are medians of stretches, and a trend has to pass a rank test.
#pragma once

#include "job/scalars.h"
#include "result/findings.h"
#include "util/time.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

/// What is wrong with the model, and from when on.
struct ModelTrouble {
  result::FindingKind kind = result::FindingKind::diverged;
  std::int64_t step = 0;            ///< the first that was for nothing
  std::int64_t last_step = 0;       ///< the last that was logged
  std::optional<Microseconds> time; ///< of the step; absent where no log has times
  std::string scalar;               ///< the one that tells: "train/loss"
  std::int64_t points = 0;          ///< how many values of it were logged
  bool not_finite = false;          ///< diverged: NaN or infinity, else the loss rose and stayed up
  std::optional<std::int64_t>
      gradient_step;            ///< diverged: the first gradient norm that is not finite
  std::optional<double> before; ///< the best level, or the level at the start
  std::optional<double> after;  ///< the level at the end; absent where it is NaN
};

/// The gravest trouble; nothing where all is well, or too little was logged to say.
std::optional<ModelTrouble> find_model_trouble(std::span<const job::ScalarSeries> scalars);

/// How sure a trend is: Mann and Kendall's z, above 0 where values rise. At most a few hundred
/// values.
double trend_z(std::span<const double> values);

} // namespace debrief::findings
