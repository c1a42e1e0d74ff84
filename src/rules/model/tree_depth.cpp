// TreeDepth: do trees grow deeper than they should?
#include "rules/model/model_rules.h"
#include "rules/model/tensor_watch.h"

#include <algorithm>
#include <cmath>

namespace debrief::rules::model {

namespace {

class TreeDepthWatch final : public RuleWatch {
public:
  TreeDepthWatch(TensorIds wanted, double depth, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , depth_(depth) {}

  void see(const SeenTensor& tensor) override {
    if (!tensor.has_numbers() || tensor.data->values.empty()) return;
    firings().looked();
    const double last = *std::max_element(tensor.data->values.begin(), tensor.data->values.end());
    const double depth = last > 0 ? std::floor(std::log2(last)) : 0;
    if (depth > depth_)
      firings().add(tensor.name, tensor.step.step, {"depth of the tree", "above", depth, depth_});
  }

private:
  double depth_;
};

std::unique_ptr<TensorWatch> watch_tree_depth(const WatchScope& scope,
                                              const ParameterValues& parameters, Firings& firings) {
  TensorIds nodes;
  if (const auto found = scope.names.find("trees/Node")) nodes.push_back(*found);
  firings.explain("the job saved no trees");
  return std::make_unique<TreeDepthWatch>(std::move(nodes), parameters.number("depth"), firings);
}

} // namespace

Rule tree_depth_rule() {
  return {{.name = "TreeDepth",
           .group = RuleGroup::xgboost,
           .looks_at = RuleInputKind::tensors,
           .description = "Measures how deep trees grow, by the number of their last node.",
           .recommendation = "Lower max_depth or raise gamma and min_child_weight. Deep trees "
                             "learn the training data by heart.",
           .parameters = {{"depth", ParameterType::number, "4", 0, 1000, "levels",
                           "Depth above which the rule triggers"}}},
          nullptr,
          watch_tree_depth};
}

} // namespace debrief::rules::model
