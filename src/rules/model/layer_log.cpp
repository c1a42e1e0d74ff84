#include "rules/model/layer_log.h"

#include "util/step_columns.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <vector>

namespace debrief::rules::model {

void LayerLog::note(std::uint32_t slot, const std::string& tensor, std::int64_t step, bool fired,
                    const Condition& condition) {
  if (what_.empty()) {
    what_ = condition.what;
    relation_ = condition.relation;
    threshold_ = condition.threshold;
  }
  Layer& layer = layers_[slot];
  if (layer.tensor.empty()) layer.tensor = tensor;
  layer.fired = layer.fired || fired;
  layer.values.add(step, condition.value, [this](double a, double b) { return worse(a, b); });
}

/// What is not finite is the worst there is.
double LayerLog::worse(double a, double b) const {
  if (!std::isfinite(a)) return a;
  if (!std::isfinite(b)) return b;
  return is_below() ? std::min(a, b) : std::max(a, b);
}

result::LayerMeasure LayerLog::measure() const {
  result::LayerMeasure out;
  out.what = what_;
  out.relation = relation_;
  if (std::isfinite(threshold_)) out.threshold = threshold_;
  out.layer_count = static_cast<std::int64_t>(layers_.size());
  std::vector<const Layer*> shown;
  for (const bool fired : {true, false})
    for (const auto& [slot, layer] : layers_)
      if (layer.fired == fired && shown.size() < result::kMaxLayers) shown.push_back(&layer);
  std::set<std::int64_t> seen;
  for (const Layer* layer : shown)
    for (const auto& point : layer->values.points())
      seen.insert(point.step);
  const std::vector<std::int64_t> steps{seen.begin(), seen.end()};
  out.steps = step_columns(steps, result::kMaxLayerColumns);
  for (const Layer* layer : shown) {
    std::vector<std::optional<double>> values(out.steps.size());
    for (const auto& point : layer->values.points()) {
      std::optional<double>& cell = values[column_of(out.steps, point.step)];
      cell = cell ? worse(*cell, point.value) : point.value;
    }
    for (std::optional<double>& value : values)
      if (value && !std::isfinite(*value)) value.reset();
    out.layers.push_back({layer->tensor, std::move(values)});
  }
  return out;
}

} // namespace debrief::rules::model
