#include "result/main_curves.h"

namespace debrief::result {

const Curve* main_loss(const Curves& curves, CurveSplit split) {
  const Curve* best = nullptr;
  for (const Curve& curve : curves.curves) {
    if (curve.topic != CurveTopic::loss) continue;
    const bool evaluation = curve.split == CurveSplit::evaluation;
    if (evaluation != (split == CurveSplit::evaluation)) continue;
    if (evaluation && curve.name.ends_with("_step")) continue;
    if (best == nullptr || curve.count > best->count) best = &curve;
  }
  return best;
}

bool ends_finite(const Curve& curve) {
  return curve.values.empty() ? curve.not_finite == 0 : curve.values.back().has_value();
}

} // namespace debrief::result
