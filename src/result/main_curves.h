// The scalars that tell most about a model, among all that were logged.
#pragma once

#include "result/curves.h"

namespace debrief::result {

// Fewer values tell nothing, and a gate does not pass on them.
inline constexpr std::size_t kMinLossPoints = 10; ///< of a loss: fewer have no level
inline constexpr std::size_t kMinEvaluations = 5; ///< before they tell a course

/// The loss of training (`CurveSplit::train`; what does not say its data counts as such) or of
/// evaluation (util/loss_name.h); null: there is none, or only parts of it. Lightning's evaluation
/// by the batch ("val_loss_step") is noise of which the epoch's is the mean, and never it.
const Curve* main_loss(const Curves& curves, CurveSplit split);

/// Whether the last value that was logged is a number: a loss that ended in NaN has a last finite
/// value, but that is not how it ended.
bool ends_finite(const Curve& curve);

} // namespace debrief::result
