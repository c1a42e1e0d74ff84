// UnchangedTensor: does a tensor stay the same over several saved steps?
#include "rules/model/model_rules.h"
#include "rules/model/same_values.h"
#include "rules/model/tensor_watch.h"

#include <algorithm>
#include <deque>
#include <map>

namespace debrief::rules::model {

namespace {

class UnchangedTensorWatch final : public RuleWatch {
public:
  UnchangedTensorWatch(TensorIds wanted, const ParameterValues& parameters, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , steps_(parameters.count("num_steps"))
      , tolerance_{parameters.number("rtol"), parameters.number("atol"),
                   parameters.flag("equal_nan")} {}

  bool keeps_values() const override { return true; }

  void see(const SeenTensor& tensor) override {
    if (tensor.data == nullptr || (!tensor.data->numeric && tensor.data->texts.empty())) return;
    std::deque<job::TensorData>& last = last_[tensor.tensor];
    last.push_back(*tensor.data);
    if (last.size() > steps_) last.pop_front();
    if (last.size() < steps_) return;
    firings().looked();
    const bool same = std::all_of(last.begin(), last.end() - 1, [&](const job::TensorData& data) {
      return same_values(data, last.back(), tolerance_);
    });
    if (same)
      firings().add(tensor.name, tensor.step.step,
                    {"saved steps without a change", "at least", static_cast<double>(steps_),
                     static_cast<double>(steps_)});
  }

private:
  std::size_t steps_;
  Tolerance tolerance_;
  std::map<std::uint32_t, std::deque<job::TensorData>> last_;
};

std::unique_ptr<TensorWatch> watch_unchanged_tensor(const WatchScope& scope,
                                                    const ParameterValues& parameters,
                                                    Firings& firings) {
  firings.explain("no tensor that it looks at was saved at num_steps steps");
  return std::make_unique<UnchangedTensorWatch>(
      scope.names.selected(parameters.list("collection_names"), parameters.list("tensor_regex")),
      parameters, firings);
}

} // namespace

Rule unchanged_tensor_rule() {
  std::vector<Parameter> parameters = selection_parameters("losses", "None");
  parameters.push_back({"num_steps", ParameterType::integer, "3", 2, 1000, "steps",
                        "Saved steps over which nothing may stay the same"});
  parameters.push_back({"rtol", ParameterType::number, "1e-05", 0, 1e9, "",
                        "Relative difference that counts as the same"});
  parameters.push_back({"atol", ParameterType::number, "1e-08", 0, 1e9, "",
                        "Absolute difference that counts as the same"});
  parameters.push_back(flag_parameter("equal_nan", "False", "Count NaN as the same as NaN"));
  return {{.name = "UnchangedTensor",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors,
           .description = "Finds tensors that no longer change from one saved step to the next.",
           .recommendation = "Check that the optimizer has these parameters, that the learning "
                             "rate is not zero, and whether training is done.",
           .parameters = std::move(parameters)},
          nullptr,
          watch_unchanged_tensor};
}

} // namespace debrief::rules::model
