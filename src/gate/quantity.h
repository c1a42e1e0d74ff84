// A number with the unit that it was written with: "70", "70%", "0.08 s", "80ms", "24GB". What it
// is worth is known only beside a figure, whose unit it must fit.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace debrief::gate {

struct Quantity {
  double number = 0;
  std::string unit; ///< as written; empty: that of the figure
};

/// Without blanks at either end.
std::string_view trimmed(std::string_view text);

/// Nothing for anything that is not a finite number with at most one word or '%' after it.
std::optional<Quantity> parse_quantity(std::string_view text);

/// The quantity in a figure's unit ("%", "s", "B"; "" for a count); nothing where its own is of
/// another kind.
std::optional<double> in_unit(const Quantity& quantity, std::string_view unit);

/// "one of s, ms, us, min, h": what a quantity beside a figure in this unit can be written in.
std::string units_of(std::string_view unit);

/// "63.2 %", "61.2 ms", "24.1 GB", "1921"; `digits` are significant ones.
std::string value_text(double value, std::string_view unit, int digits = 4);

/// Both values so that they look different where they are.
struct TextPair {
  std::string first;
  std::string second;
};

TextPair told_apart(double first, double second, std::string_view unit);

} // namespace debrief::gate
