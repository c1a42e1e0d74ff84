// What the report rests on, and what is missing from it.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <optional>

namespace debrief::aggregate {

/// `span` is the job's, as its summary has it. `job_was_chosen`: the user said which of several
/// jobs to take, so what was left out of the others' is no loss.
result::DataQuality data_quality(const job::Job& job, const std::optional<TimeSpan>& span,
                                 bool job_was_chosen = false);

} // namespace debrief::aggregate
