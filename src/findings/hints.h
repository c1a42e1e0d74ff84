// Why the GPUs of a node do not work, where no event tells: what its host does meanwhile is a hint.
// Cores at work beyond the one that each GPU's process takes load data; traffic that goes out as
// much as it comes in is communication; a pause with neither is code between steps, or, where
// pauses are few and long, a step that stalls.
#pragma once

#include "findings/cause.h"
#include "findings/gpu_use.h"
#include "result/timeline.h"
#include "util/time.h"

#include <optional>
#include <span>
#include <vector>

namespace debrief {

/// By sample of the node's metric "GPU"; nothing where no hint is seen, and outside the loop.
std::vector<std::optional<Cause>> hints(const result::NodeTimeline& node,
                                        const result::MetricTimeline& gpu,
                                        std::span<const GpuUse> uses, const TimeSpan& loop,
                                        std::size_t nodes);

} // namespace debrief
