#include "result/main_curves.h"

#include "util/loss_name.h"

#include <string_view>

namespace debrief::result {

const Curve* main_loss(const Curves& curves, CurveSplit split) {
  LossChoice<Curve> choice;
  for (const Curve& curve : curves.curves) {
    if (curve.topic != CurveTopic::loss && curve.topic != CurveTopic::loss_part) continue;
    const bool evaluation = curve.split == CurveSplit::evaluation;
    if (evaluation != (split == CurveSplit::evaluation)) continue;
    if (evaluation && curve.name.ends_with("_step")) continue;
    if (curve.topic == CurveTopic::loss_part) {
      choice.add_part();
      continue;
    }
    // Before the last part of a name stand runs, where several logged it.
    const std::string_view name = std::string_view{curve.name}.substr(curve.name.rfind('/') + 1);
    choice.add(curve, name, static_cast<std::size_t>(curve.count));
  }
  return choice.best();
}

bool ends_finite(const Curve& curve) {
  return curve.values.empty() ? curve.not_finite == 0 : curve.values.back().has_value();
}

} // namespace debrief::result
