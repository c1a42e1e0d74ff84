// SimilarAcrossRuns: from which step on do two jobs differ?
#include "rules/model/model_rules.h"
#include "rules/model/same_values.h"
#include "rules/model/tensor_watch.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace debrief::rules::model {

namespace {

/// How far apart two values are at most.
double largest_difference(const job::TensorData& a, const job::TensorData& b) {
  double largest = 0;
  for (std::size_t i = 0; i < std::min(a.values.size(), b.values.size()); ++i)
    if (const double difference = std::abs(a.values[i] - b.values[i]); !(difference <= largest))
      largest = difference;
  return largest;
}

class SimilarRunsWatch final : public RuleWatch {
public:
  SimilarRunsWatch(const WatchScope& scope, TensorIds wanted, Firings& firings)
      : RuleWatch(std::move(wanted), firings)
      , other_(*scope.other)
      , other_names_(*scope.other) {
    const std::string& worker = scope.names.table().workers[scope.worker];
    for (const job::TensorStep& step : other_.steps)
      if (other_.workers[step.worker] == worker) steps_.emplace(step.step, &step);
    firings.explain("the two jobs have no step and tensor in common");
  }

  void see(const SeenTensor& tensor) override {
    const auto step = steps_.find(tensor.step.step);
    const auto id = other_names_.find(tensor.name);
    if (!tensor.has_numbers() || step == steps_.end() || !id) return;
    const auto records = other_.records_of(*step->second);
    const auto record =
        std::lower_bound(records.begin(), records.end(), *id,
                         [](const job::TensorRecord& a, std::uint32_t b) { return a.tensor < b; });
    if (record == records.end() || record->tensor != *id || record->kind() != job::Reduction::none)
      return;
    const std::array<job::TensorSource::Wanted, 1> wanted = {{{*record, other_.names[*id]}}};
    // `tensor` lies in a buffer that the other job's source reads into, too.
    const job::TensorData own = *tensor.data;
    job::Troubles lost; // counted in the other job's own report
    other_.source->load(
        *step->second, wanted,
        [&](std::size_t, const job::TensorData& other) {
          firings().looked();
          if (!same_values(own, other, {}))
            firings().add(tensor.name, tensor.step.step,
                          {"largest difference", "above", largest_difference(own, other), 0});
        },
        lost);
  }

private:
  const job::TensorTable& other_;
  TensorNames other_names_;
  std::map<std::int64_t, const job::TensorStep*> steps_; ///< of the other job's same worker
};

/// Without another job there is nothing to look at.
class NoOtherRun final : public RuleWatch {
public:
  explicit NoOtherRun(Firings& firings)
      : RuleWatch({}, firings) {
    firings.explain("no other job was given; set other_trials to its folder");
  }

  void see(const SeenTensor& /*tensor*/) override {}
};

std::unique_ptr<TensorWatch>
watch_similar_runs(const WatchScope& scope, const ParameterValues& parameters, Firings& firings) {
  if (scope.other == nullptr || scope.other->empty()) return std::make_unique<NoOtherRun>(firings);
  const auto collections = parameters.list("collection_names");
  const auto patterns = parameters.list("tensor_regex");
  return std::make_unique<SimilarRunsWatch>(scope,
                                            collections.empty() && patterns.empty()
                                                ? scope.names.all()
                                                : scope.names.selected(collections, patterns),
                                            firings);
}

} // namespace

Rule similar_across_runs_rule() {
  std::vector<Parameter> parameters = {
      text_parameter("other_trials", "None", "Folder of the job to compare with")};
  for (Parameter& parameter : selection_parameters("None", "None"))
    parameters.push_back(std::move(parameter));
  return {{.name = "SimilarAcrossRuns",
           .group = RuleGroup::model,
           .looks_at = RuleInputKind::tensors,
           .description = "Compares tensors of the same step with those of another job.",
           .recommendation = "Look for what differs between the jobs at the first of these steps: "
                             "seed, data order, learning rate, nondeterministic kernels.",
           .parameters = std::move(parameters)},
          nullptr,
          watch_similar_runs};
}

} // namespace debrief::rules::model
