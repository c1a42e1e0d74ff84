// What ran while some condition held, against the rest of the time: the context of an outlying step
// or a bottleneck.
#pragma once

#include "aggregate/event_kind.h"
#include "aggregate/steps.h"
#include "job/events.h"
#include "result/rules.h"

#include <map>
#include <span>
#include <string>
#include <vector>

namespace debrief::aggregate {

/// Whose events a window of time is compared with.
enum class ActivityScope { node, process };

/// Windows by node or process name, as the scope says.
using ActivityWindows = std::map<std::string, std::vector<TimeSpan>>;

/// The busiest kMaxActivities of each group, by time inside the windows. Empty where no framework
/// events were recorded for any of the names.
result::Activity activity(const job::EventTable& events, const EventKinds& kinds,
                          std::span<const StepSeries> steps, const ActivityWindows& windows,
                          ActivityScope scope);

} // namespace debrief::aggregate
