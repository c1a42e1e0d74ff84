// Drawings of a comparison.
#pragma once

#include "compare/diff.h"
#include "render/parts/chart.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace debrief::render {

/// The figures that changed by the largest factors; nothing where none did.
std::optional<Chart> changes_chart(const compare::Diff& diff);

/// A page of a document that names thousands of modes has to end somewhere.
inline constexpr std::size_t kMaxStepCharts = 16;

/// How long steps took in both jobs, for each mode over one axis; of the first kMaxStepCharts
/// modes.
std::vector<Chart> step_diff_charts(const compare::Diff& diff);

/// The losses of both jobs over one axis of steps; nothing where one has none.
std::optional<Chart> loss_diff_chart(const compare::Diff& diff);

/// Changes of the figures that counts: improved, worse or changed, and not one of many places.
/// Largest first.
std::vector<const compare::Change*> largest_changes(const compare::Diff& diff);

} // namespace debrief::render
