// Scalars of a training run as a chart over steps.
#pragma once

#include "render/parts/chart.h"
#include "result/curves.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

struct CurvePart {
  std::string name; ///< for the legend; printable
  const result::Curve* curve = nullptr;
};

/// At most chart::kSeries parts are drawn; the caption says where there are more. Nothing where
/// no part has two values.
std::optional<Chart> curve_chart(const std::string& caption, std::vector<CurvePart> parts);

/// The same, small, to be folded away with others of its `group`: of what has two values or more.
Chart small_curve_chart(const std::string& caption, std::vector<CurvePart> parts,
                        std::string group);

} // namespace debrief::render
