// How alike GPUs worked, as drawings.
#pragma once

#include "render/parts/chart.h"
#include "render/parts/device_table.h"
#include "result/result.h"

#include <optional>

namespace debrief::render {

/// More GPUs than this have no matrix: their most different pairs are in the table.
inline constexpr std::size_t kMaxInMatrix = 32;

/// Histograms of utilization over one another; of more GPUs than there are colors those of the
/// pairs that differ most.
std::optional<Figure> utilization_figure(const Devices& gpus, const result::LoadBalance& balance);

/// Nothing for fewer than three GPUs, for too many, and where not all pairs are listed.
/// GPUs stand in the order of `gpus`; `greatest` is the end of the scale.
std::optional<Figure> distance_figure(const Devices& gpus, const result::LoadBalance& balance,
                                      double greatest);

} // namespace debrief::render
