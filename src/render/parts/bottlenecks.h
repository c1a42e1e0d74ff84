// What the sections on CPU and on I/O bottlenecks share: all but the rule that looks for them.
#pragma once

#include "render/parts/section.h"
#include "result/result.h"

#include <string_view>

namespace debrief::render {

/// `kind`: "CPU" or "I/O"; `rule` finds such bottlenecks.
Section bottlenecks(const result::Result& result, std::string_view kind, std::string_view rule);

inline constexpr const char* kReadBottlenecks =
    "The parts say for each moment whether the GPU was busy, idle for another reason, or idle "
    "while it waited for this. Only the last part is what this section is about; what ran at those "
    "moments more than otherwise says where to look.";
inline constexpr const char* kBottlenecksComputed =
    "A datapoint is a moment of one node at which GPU and CPU samples exist; thresholds are the "
    "rule's parameters. Shares of work are of the wall time of those moments, against the rest of "
    "the time in which the framework recorded.";

} // namespace debrief::render
