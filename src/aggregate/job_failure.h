// Which of a job's failures the others follow from.
#pragma once

#include "job/job.h"
#include "result/failure.h"

#include <optional>

namespace debrief::aggregate {

/// Nothing where the job ended well, was stopped, or still runs.
///
/// The cause is the first failure in time that follows from no other. An exception that tells of
/// another process's end follows from it, and so does SIGTERM, or a collective that broke since a
/// rank was gone. A process that its parent survived was none of the job's: the parent caught it.
std::optional<result::Failure> job_failure(const job::Job& job);

} // namespace debrief::aggregate
