// A condition as people write it, "gpu.p50 >= 70": what stands before the operator, the operator
// and the number. What the name means is for others to say.
#pragma once

#include "gate/quantity.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::gate {

enum class Operator { less, at_most, greater, at_least, equal, unequal };

struct Comparison {
  std::string name; ///< without blanks around it; never empty
  Operator op = Operator::at_least;
  Quantity value;
};

/// Nothing where there is no name, no operator or no number.
std::optional<Comparison> parse_comparison(std::string_view text);

/// "at least", "less than"
std::string_view words_for(Operator op);

/// False for what is NaN, whatever the operator.
bool holds(double found, Operator op, double wanted);

} // namespace debrief::gate
