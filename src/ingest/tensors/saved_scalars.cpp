#include "ingest/tensors/saved_scalars.h"

#include "util/parallel.h"
#include "util/pattern_set.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>

namespace debrief::ingest::tensors {

namespace {

constexpr std::array<std::string_view, 3> kScalarCollections = {"losses", "metrics", "sm_metrics"};
constexpr std::size_t kMaxScalars = 2000; ///< as of trackers

/// Which tensors are scalars by their collection, or by how the hook names what a script saved.
std::vector<bool> scalar_tensors(const job::TensorTable& table) {
  std::vector<bool> out(table.names.size());
  std::vector<std::string> texts;
  std::vector<const job::TensorCollection*> collections;
  for (const job::TensorCollection& collection : table.collections) {
    if (std::find(kScalarCollections.begin(), kScalarCollections.end(), collection.name) ==
        kScalarCollections.end())
      continue;
    collections.push_back(&collection);
    texts.insert(texts.end(), collection.patterns.begin(), collection.patterns.end());
  }
  PatternSet patterns{texts};
  std::size_t count = 0;
  for (std::size_t i = 0; i < table.names.size() && count < kMaxScalars; ++i) {
    const std::string& name = table.names[i];
    if (name == "batch" || name == "val_batch") continue; // Keras' number of the batch
    const bool listed = std::any_of(collections.begin(), collections.end(), [&](const auto* one) {
      return std::binary_search(one->names.begin(), one->names.end(), name);
    });
    out[i] =
        listed || patterns.finds(name) || name.starts_with("scalar/") || name.starts_with("val_");
    count += out[i] ? 1U : 0U;
  }
  return out;
}

/// One value of a step.
struct SavedValue {
  std::uint32_t tensor = 0;
  double value = 0;
  std::optional<Microseconds> time;
};

std::vector<SavedValue> values_of(const job::TensorTable& table, const job::TensorStep& step,
                                  const std::vector<bool>& scalars) {
  std::vector<job::TensorSource::Wanted> wanted;
  for (const job::TensorRecord& record : table.records_of(step))
    if (scalars[record.tensor] && record.kind() == job::Reduction::none)
      wanted.push_back({record, table.names[record.tensor]});
  std::vector<SavedValue> out;
  if (wanted.empty()) return out;
  job::Troubles lost;
  table.source->load(
      step, wanted,
      [&](std::size_t i, const job::TensorData& data) {
        if (data.numeric && data.values.size() == 1)
          out.push_back({wanted[i].record.tensor, data.values.front(), data.time});
      },
      lost);
  return out;
}

/// Keras saves its last training loss again in steps of evaluation, where "val_loss" is the loss.
bool is_repeated(const job::TensorTable& table, const std::string& name, job::TensorMode mode) {
  return mode == job::TensorMode::eval &&
         std::binary_search(table.names.begin(), table.names.end(), "val_" + name);
}

std::string scalar_name(const std::string& name, job::TensorMode mode) {
  if (mode == job::TensorMode::train) return "train/" + name;
  if (mode == job::TensorMode::eval) return "eval/" + name;
  return name;
}

} // namespace

std::vector<job::ScalarSeries> saved_scalars(const job::TensorTable& table) {
  const std::vector<bool> scalars = scalar_tensors(table);
  if (std::find(scalars.begin(), scalars.end(), true) == scalars.end()) return {};
  std::vector<const job::TensorStep*> steps;
  for (const job::TensorStep& step : table.steps)
    if (step.worker == 0) steps.push_back(&step);
  std::vector<std::vector<SavedValue>> values(steps.size());
  parallel_for(steps.size(),
               [&](std::size_t i) { values[i] = values_of(table, *steps[i], scalars); });
  std::map<std::string, job::ScalarSeries> by_name;
  for (std::size_t i = 0; i < steps.size(); ++i)
    for (const SavedValue& value : values[i]) {
      const std::string& tensor = table.names[value.tensor];
      if (is_repeated(table, tensor, steps[i]->mode)) continue;
      const std::string name = scalar_name(tensor, steps[i]->mode);
      job::ScalarSeries& series = by_name[name];
      series.name = name;
      series.source = job::ScalarSource::debugger;
      if (!series.steps.empty() && series.steps.back() >= steps[i]->step) continue;
      series.steps.push_back(steps[i]->step);
      series.values.push_back(value.value);
      if (value.time) series.times.push_back(*value.time);
    }
  std::vector<job::ScalarSeries> out;
  for (auto& [name, series] : by_name) {
    if (series.times.size() != series.steps.size() ||
        !std::is_sorted(series.times.begin(), series.times.end()))
      series.times.clear(); // no clock of all values
    out.push_back(std::move(series));
  }
  return out;
}

} // namespace debrief::ingest::tensors
