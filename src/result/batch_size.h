// How much work a step does, as far as the job says.
#pragma once

#include "result/result.h"

#include <cstdint>
#include <optional>
#include <string>

namespace debrief::result {

/// The batch size that the job's hyperparameters give, under any of its usual names; nothing where
/// it is beyond any that there is.
struct BatchSize {
  std::string name;
  std::int64_t value = 0;
};

std::optional<BatchSize> batch_size(const JobSummary& job);

/// The same, or else that of the job's data loader.
std::optional<BatchSize> batch_size(const Result& result);

} // namespace debrief::result
