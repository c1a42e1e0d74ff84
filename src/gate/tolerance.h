// `--tolerance`: how far a figure may be from the baseline's. "5%" is a share of the baseline's
// value and holds for all figures, "steps.train.p50=3%" for one; "=2ms" and "=3pp" (percentage
// points) are amounts in the figure's own unit.
#pragma once

#include "compare/change.h"
#include "gate/quantity.h"

#include <map>
#include <optional>
#include <string>

namespace debrief::gate {

class Tolerances {
public:
  /// Sets "5%" or "NAME=3%"; a later one goes over an earlier one. Throws Error, which begins with
  /// `where`.
  void set(const std::string& text, const std::string& where);

  /// The same for the general one and for that of one figure.
  void set_general(const std::string& amount, const std::string& where);
  void set_figure(const std::string& name, const std::string& amount, const std::string& where);

  /// The figure's own; else the general share, and at least the default amount of its unit
  /// (compare::default_tolerance): of a percentage near zero, a share says nothing. Throws Error
  /// where the amount's unit does not fit the figure's.
  compare::Tolerance of(const compare::Figure& figure) const;

  /// What holds beside this figure of the baseline: "5 %", "1 percentage points", "0.002 s".
  std::string text_of(const compare::Figure& figure) const;

  const std::map<std::string, Quantity>& figures() const { return figures_; }

private:
  std::optional<double> general_; ///< relative
  std::map<std::string, Quantity> figures_;
};

} // namespace debrief::gate
