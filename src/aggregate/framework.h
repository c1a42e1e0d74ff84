// What the framework spent its time on: modes of steps and the time between them, forward and
// backward passes, operators, data loading, collectives.
#pragma once

#include "aggregate/steps.h"
#include "aggregate/work.h"
#include "job/events.h"
#include "result/framework.h"

#include <span>

namespace debrief::aggregate {

result::Framework framework_metrics(const job::EventTable& events, const WorkKinds& kinds,
                                    std::span<const StepSeries> steps);

} // namespace debrief::aggregate
