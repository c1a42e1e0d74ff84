// The losses of two jobs, to be drawn over one axis.
#include "compare/diff.h"
#include "result/json.h"
#include "result/main_curves.h"

namespace debrief::compare {

namespace {

/// So that a job and its saved result draw the same page.
result::Curve curve_as_saved(result::Curve curve) {
  for (std::optional<double>& value : curve.values)
    if (value) value = result::rounded_digits(*value);
  return curve;
}

} // namespace

std::vector<LossCurve> loss_curves(const result::Result& before, const result::Result& after) {
  std::vector<LossCurve> out;
  for (const result::CurveSplit split :
       {result::CurveSplit::train, result::CurveSplit::evaluation}) {
    const result::Curve* first = result::main_loss(before.curves, split);
    const result::Curve* second = result::main_loss(after.curves, split);
    if (first == nullptr || second == nullptr) continue;
    out.push_back({true, curve_as_saved(*first)});
    out.push_back({false, curve_as_saved(*second)});
  }
  return out;
}

} // namespace debrief::compare
