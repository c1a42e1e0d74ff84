// What the sections on CPU and on I/O bottlenecks share: all but the rule that looks for them.
#pragma once

#include "render/parts/section.h"
#include "result/result.h"

#include <string_view>

namespace debrief::render {

/// `kind`: "CPU" or "I/O"; `rule` finds such bottlenecks.
Section bottlenecks(const result::Result& result, std::string_view kind, std::string_view rule);

inline constexpr const char* kReadBottlenecks =
    "Each sample counts as GPU busy, GPU idle for another reason, or GPU idle with this "
    "bottleneck. What ran more often in the last group than otherwise shows where to look.";
inline constexpr const char* kBottlenecksComputed =
    "A sample counts where a node has GPU and CPU samples at the same time. Thresholds are the "
    "rule's parameters. Shares of work compare the wall time of those samples with the rest of the "
    "recorded time.";

} // namespace debrief::render
