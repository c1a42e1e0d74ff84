// How grave something is, as a badge: a word, and a shape for those who do not see its color.
#pragma once

#include "chart/svg.h"
#include "result/findings.h"
#include "result/gate.h"

namespace debrief::render {

struct StatusBadge {
  const char* word; ///< "Critical"
  const char* css;  ///< the class that gives it its color
  const char* path; ///< of the shape, in a box of 16 by 16; what is inside of it is a hole
  chart::Color color;
};

const StatusBadge& badge_of(result::Severity severity);

/// "Healthy" and "Not enough data" have a word of their own.
const StatusBadge& badge_of(const result::VerdictSummary& verdict);

/// "Passed", "Failed".
const StatusBadge& gate_badge(const result::Gate& gate);

} // namespace debrief::render
