// Losses and metrics among saved tensors, as scalars: what a tracker would have logged.
#pragma once

#include "job/scalars.h"
#include "job/tensors.h"

#include <vector>

namespace debrief::ingest::tensors {

/// Of the first worker, by name: "train/loss" and "eval/loss" where the job has modes, else as
/// saved ("validation-logloss"). What cannot be read is left out; rules that ask for it count it.
std::vector<job::ScalarSeries> saved_scalars(const job::TensorTable& table);

} // namespace debrief::ingest::tensors
