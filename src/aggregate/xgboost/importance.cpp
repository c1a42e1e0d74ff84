#include "aggregate/xgboost/importance.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace debrief::aggregate {

namespace {

using result::FeatureImportance;

constexpr std::string_view kImportancePrefix = "feature_importance/";

/// "feature_importance/total_gain/f3" -> where its value goes, and "f3". Nothing where the kind is
/// none that is known.
std::optional<std::pair<std::optional<double> FeatureImportance::*, std::string_view>>
importance_of(std::string_view tensor) {
  static constexpr std::pair<std::string_view, std::optional<double> FeatureImportance::*>
      kKinds[] = {{"weight", &FeatureImportance::weight},
                  {"gain", &FeatureImportance::gain},
                  {"cover", &FeatureImportance::cover},
                  {"total_gain", &FeatureImportance::total_gain},
                  {"total_cover", &FeatureImportance::total_cover}};
  if (!tensor.starts_with(kImportancePrefix)) return std::nullopt;
  tensor.remove_prefix(kImportancePrefix.size());
  const std::size_t slash = tensor.find('/');
  if (slash == tensor.npos) return std::nullopt;
  for (const auto& [name, member] : kKinds)
    if (tensor.substr(0, slash) == name) return std::pair{member, tensor.substr(slash + 1)};
  return std::nullopt;
}

/// What the hook saved of a step; empty where it saved no importance.
std::vector<FeatureImportance> importance_of(const job::TensorTable& table,
                                             const job::TensorStep& step, job::Troubles& lost) {
  std::vector<job::TensorSource::Wanted> wanted;
  for (const job::TensorRecord& record : table.records_of(step))
    if (record.kind() == job::Reduction::none && importance_of(table.names[record.tensor]))
      wanted.push_back({record, table.names[record.tensor]});
  if (wanted.empty()) return {};
  std::map<std::string_view, FeatureImportance> features;
  table.source->load(
      step, wanted,
      [&](std::size_t i, const job::TensorData& data) {
        if (!data.numeric || data.values.size() != 1) return;
        const auto [member, name] = *importance_of(wanted[i].tensor);
        FeatureImportance& feature = features[name];
        feature.name = name;
        feature.*member = data.values.front();
      },
      lost);
  std::vector<FeatureImportance> out;
  for (auto& [name, feature] : features)
    out.push_back(std::move(feature));
  return out;
}

std::vector<FeatureImportance> importance_of(const job::TreeModel& model) {
  std::vector<FeatureImportance> out;
  for (const job::FeatureUse& use : model.used) {
    const auto splits = static_cast<double>(use.splits);
    out.push_back({use.name, splits, use.gain / splits, use.cover / splits, use.gain, use.cover});
  }
  return out;
}

/// By what says most about the model: the whole gain, else the mean gain, else splits.
void sort_by_importance(std::vector<FeatureImportance>& features) {
  const auto rank = [](const FeatureImportance& feature) {
    if (feature.total_gain) return *feature.total_gain;
    return feature.gain.value_or(feature.weight.value_or(0));
  };
  std::stable_sort(features.begin(), features.end(),
                   [&](const auto& a, const auto& b) { return rank(a) > rank(b); });
}

} // namespace

void add_importance(const job::Job& job, result::Xgboost& report, job::Troubles& lost) {
  if (job.tree_model && !job.tree_model->used.empty()) {
    report.importance = importance_of(*job.tree_model);
    report.importance_source = job.tree_model->path;
  } else {
    const auto& steps = job.tensors.steps;
    for (auto step = steps.rbegin(); step != steps.rend() && report.importance.empty(); ++step) {
      report.importance = importance_of(job.tensors, *step, lost);
      if (report.importance.empty()) continue;
      report.importance_source = "debug-output";
      report.importance_round = step->step;
    }
  }
  if (report.importance.empty()) {
    report.gaps.push_back(result::XgboostGap::no_importance);
    return;
  }
  sort_by_importance(report.importance);
  if (report.importance.size() > result::kMaxFeatures) {
    report.features_left_out =
        static_cast<std::int64_t>(report.importance.size() - result::kMaxFeatures);
    report.importance.resize(result::kMaxFeatures);
  }
}

} // namespace debrief::aggregate
