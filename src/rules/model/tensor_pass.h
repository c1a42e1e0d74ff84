// Shows a job's tensors to the watches of all rules. Each step's file is opened once, and what
// several rules want is read and decoded once; nothing that no rule wants is read.
#pragma once

#include "job/tensors.h"
#include "rules/model/tensor_watch.h"

#include <memory>
#include <span>

namespace debrief::rules::model {

/// `watches` are of one worker. What could not be read is counted in `lost`.
void show_tensors(const job::TensorTable& table, std::uint32_t worker,
                  std::span<const std::unique_ptr<TensorWatch>> watches, job::Troubles& lost);

} // namespace debrief::rules::model
