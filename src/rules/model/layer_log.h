// What a rule compared of each layer at each step, for the page's map of layers and steps.
#pragma once

#include "result/model.h"
#include "rules/model/condition.h"
#include "rules/model/thinned_steps.h"

#include <cstdint>
#include <map>
#include <string>

namespace debrief::rules::model {

class LayerLog {
public:
  /// `slot` is of this tensor alone; its steps come in their order.
  void note(std::uint32_t slot, const std::string& tensor, std::int64_t step, bool fired,
            const Condition& condition);

  bool empty() const { return layers_.empty(); }

  /// All but the rule's name.
  result::LayerMeasure measure() const;

private:
  struct Layer {
    std::string tensor;
    bool fired = false;
    ThinnedSteps<double> values{4 * result::kMaxLayerColumns};
  };

  bool is_below() const { return relation_ == "below"; }

  double worse(double a, double b) const;

  std::string what_;
  std::string relation_;
  double threshold_ = 0;
  std::map<std::uint32_t, Layer> layers_; ///< tensors are numbered by name
};

} // namespace debrief::rules::model
