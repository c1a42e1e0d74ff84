// Names in a drawing: a name of a job can have any length, the place for it is given in pixels. No
// font is at hand when a drawing is made, so widths are those of a common sans-serif.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace debrief::chart {

/// About how wide a text is, in pixels; rather too wide than too narrow.
double text_width(std::string_view words, double size = 11);

/// The text where it has room, else its beginning and "…"; empty where there is no room for three
/// characters and that.
std::string fitted(std::string_view words, double width, double size = 11);

/// The text, or its first `characters` and "…".
std::string shortened(std::string_view words, std::size_t characters);

/// A name as a tip has it: whole, unless it is longer than any name that was meant to be read.
std::string tip_name(std::string_view name);

/// 1234 of `singular`: "1234 steps", "1 step". Numbers of a chart have no decimals they do not
/// need.
std::string amount(double count, std::string_view singular);

} // namespace debrief::chart
