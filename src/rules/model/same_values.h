// Whether two tensors are the same but for rounding, as numpy.allclose has it.
#pragma once

#include "job/tensors.h"

#include <cmath>
#include <cstddef>

namespace debrief::rules::model {

struct Tolerance {
  double relative = 1e-5; ///< of the second value
  double absolute = 1e-8;
  bool equal_nan = false;
};

inline bool same_value(double a, double b, const Tolerance& tolerance) {
  if (std::isnan(a) || std::isnan(b)) return tolerance.equal_nan && std::isnan(a) && std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a == b;
  return std::abs(a - b) <= tolerance.absolute + tolerance.relative * std::abs(b);
}

inline bool same_values(const job::TensorData& a, const job::TensorData& b,
                        const Tolerance& tolerance) {
  if (a.shape != b.shape || a.numeric != b.numeric || a.texts != b.texts ||
      a.values.size() != b.values.size())
    return false;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (!same_value(a.values[i], b.values[i], tolerance)) return false;
  return true;
}

} // namespace debrief::rules::model
