// What functions of Python a job's processes were in, by phase.
#pragma once

#include "job/events.h"
#include "job/python_stacks.h"
#include "result/python_stacks.h"
#include "result/result.h"

namespace debrief::aggregate {

/// By phase: startup, training, evaluation, saving and end, where the job's steps and events tell.
result::PythonStacks python_stacks(const job::PythonStacks& stacks, const job::EventTable& events,
                                   const result::JobSummary& summary);

} // namespace debrief::aggregate
