// Drawings as small as a table's cell, which say one thing each: parts of a whole, a value over
// time, how far a value is from its bound, where a value was and is.
#pragma once

#include "chart/strip.h"
#include "chart/svg.h"

#include <string>
#include <vector>

namespace debrief::chart {

/// Parts side by side; they sum to at most 1. Their names are tips, their words are not drawn.
std::string spark_bar(const std::string& label, const std::vector<StripPart>& parts);

/// Shares of equal stretches of time, 0 to 1, as an area.
std::string spark_area(const std::string& label, const std::vector<double>& shares,
                       const Color& color);

/// A bar from 0 to the value, and a line where its bound is. Neither may be below 0.
std::string margin_bar(const std::string& label, double value, double bound, const Color& color);

/// A ring where a value was and a dot where it is, on a scale from 0 to the greater of both, as
/// wide as there is room. Neither may be below 0.
std::string dumbbell(const std::string& label, double before, double after, const Color& color);

} // namespace debrief::chart
