// A metric over time: of one node the mean of its devices, of a few nodes a line each, of many
// their mean, with what lies around it as a band.
#pragma once

#include "render/parts/chart.h"
#include "render/parts/section.h"
#include "result/result.h"

#include <optional>
#include <string>

namespace debrief::render {

/// For the timeline's panel of this metric ("GPU"); absent where no node has it.
std::optional<Chart> metric_chart(const result::Result& result, result::Metric metric);

/// Whether there is nothing to see in it: below 1%, or no traffic at all. Never of GPU utilization.
bool is_flat(const result::Timeline& timeline, result::Metric metric);

/// "CPU utilization", "Disk traffic".
std::string metric_title(result::Metric metric);

/// Memory of each GPU over time, for the section on it; of too many GPUs, as metric_chart has it.
void draw_gpu_memory(Section& section, const result::Result& result);

} // namespace debrief::render
