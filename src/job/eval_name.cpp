#include "job/eval_name.h"

#include <algorithm>

namespace debrief::job {

std::string_view without_parameter(std::string_view metric) {
  return metric.substr(0, metric.find('@'));
}

bool is_eval_metric(std::string_view metric) {
  const auto is_among = [name = without_parameter(metric)](const auto& metrics) {
    return std::find(metrics.begin(), metrics.end(), name) != metrics.end();
  };
  return is_among(kLossMetrics) || is_among(kScoreMetrics);
}

std::optional<EvalName> eval_name(std::string_view scalar) {
  for (std::size_t dash = scalar.find('-'); dash != scalar.npos; dash = scalar.find('-', dash + 1))
    if (dash > 0 && is_eval_metric(scalar.substr(dash + 1)))
      return EvalName{scalar.substr(0, dash), scalar.substr(dash + 1)};
  return std::nullopt;
}

} // namespace debrief::job
