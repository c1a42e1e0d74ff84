// What the report rests on, and what is missing from it.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <optional>

namespace debrief::aggregate {

/// `span` is the job's, as its summary has it.
result::DataQuality data_quality(const job::Job& job, const std::optional<TimeSpan>& span);

} // namespace debrief::aggregate
