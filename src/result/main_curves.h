// The scalars that tell most about a model, among all that were logged.
#pragma once

#include "result/curves.h"

namespace debrief::result {

/// The loss of training (`CurveSplit::train`; what does not say its data counts as such) or of
/// evaluation, of several the one with the most values; null: there is none. Lightning's evaluation
/// by the batch ("val_loss_step") is noise of which the epoch's is the mean, and never it.
const Curve* main_loss(const Curves& curves, CurveSplit split);

/// Whether the last value that was logged is a number: a loss that ended in NaN has a last finite
/// value, but that is not how it ended.
bool ends_finite(const Curve& curve);

} // namespace debrief::result
