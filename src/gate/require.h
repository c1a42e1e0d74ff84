// `--require`: what a figure must be, "gpu.p50 >= 70" or "steps.train.p95 < 80ms".
#pragma once

#include "compare/figure.h"
#include "gate/quantity.h"
#include "result/gate.h"

#include <span>
#include <string>

namespace debrief::gate {

enum class Operator { less, at_most, greater, at_least, equal, unequal };

struct Require {
  std::string text; ///< as written
  std::string figure;
  Operator op = Operator::at_least;
  Quantity value;
};

/// Throws Error, a sentence that begins with `where`, for what is no such condition and for a
/// figure that no job can have.
Require parse_require(const std::string& text, const std::string& where);

/// Throws Error where a figure of this name is one that no job can have.
void check_figure_name(const std::string& name, const std::string& where);

/// The figure of this name; null where the job has none.
const compare::Figure* find_figure(std::span<const compare::Figure> figures,
                                   const std::string& name);

/// Throws Error where the job lacks the figure, or the unit is not of its kind.
result::Assertion evaluate(const Require& demand, std::span<const compare::Figure> figures);

} // namespace debrief::gate
