#include "aggregate/xgboost/rounds.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace debrief::aggregate {

namespace {

std::optional<std::uint32_t> tensor_called(const job::TensorTable& table, std::string_view name) {
  const auto found = std::lower_bound(table.names.begin(), table.names.end(), name);
  if (found == table.names.end() || *found != name) return std::nullopt;
  return static_cast<std::uint32_t>(found - table.names.begin());
}

/// Takes out the rows that have a value which is not finite; says how many.
std::int64_t drop_not_finite(ValidationRows& rows) {
  const auto finite = [](double value) { return std::isfinite(value); };
  const std::size_t columns = rows.columns;
  const bool predicted = !rows.predictions.empty();
  const std::size_t count = predicted ? rows.predictions.size() / columns : rows.labels.size();
  std::size_t kept = 0;
  for (std::size_t row = 0; row < count; ++row) {
    const std::span<const double> predictions =
        predicted ? std::span{rows.predictions}.subspan(row * columns, columns)
                  : std::span<double>{};
    if (!rows.labels.empty() && !finite(rows.labels[row])) continue;
    if (!std::all_of(predictions.begin(), predictions.end(), finite)) continue;
    if (!rows.labels.empty()) rows.labels[kept] = rows.labels[row];
    if (predicted && kept != row)
      std::copy(predictions.begin(), predictions.end(),
                rows.predictions.begin() + static_cast<std::ptrdiff_t>(kept * columns));
    ++kept;
  }
  if (!rows.labels.empty()) rows.labels.resize(kept);
  if (predicted) rows.predictions.resize(kept * columns);
  return static_cast<std::int64_t>(count - kept);
}

} // namespace

bool are_of_xgboost(const job::TensorTable& table) {
  constexpr std::array<std::string_view, 4> kPrefixes = {"average_shap/", "feature_importance/",
                                                         "hyperparameters/", "trees/"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(), [&](std::string_view prefix) {
    const auto first = std::lower_bound(table.names.begin(), table.names.end(), prefix);
    return first != table.names.end() && first->starts_with(prefix);
  });
}

ValidationRounds::ValidationRounds(const job::TensorTable& table,
                                   std::optional<std::int64_t> classes, job::Troubles& lost)
    : table_(table)
    , classes_(classes)
    , labels_(tensor_called(table, "labels"))
    , predictions_(tensor_called(table, "predictions")) {
  std::vector<std::int64_t> with_labels;
  for (const job::TensorStep& step : table.steps) {
    if (record_of(step, predictions_) != nullptr) rounds_.push_back(step.step);
    if (record_of(step, labels_) != nullptr) with_labels.push_back(step.step);
  }
  predictions_saved_ = !rounds_.empty();
  if (!predictions_saved_) rounds_ = std::move(with_labels);
  rounds_.erase(std::unique(rounds_.begin(), rounds_.end()), rounds_.end());
  find_last_labels(lost);
}

const job::TensorRecord*
ValidationRounds::record_of(const job::TensorStep& step,
                            const std::optional<std::uint32_t>& tensor) const {
  if (!tensor) return nullptr;
  const auto records = table_.records_of(step);
  const auto found =
      std::lower_bound(records.begin(), records.end(), *tensor,
                       [](const job::TensorRecord& a, std::uint32_t id) { return a.tensor < id; });
  const bool whole =
      found != records.end() && found->tensor == *tensor && found->kind() == job::Reduction::none;
  return whole ? &*found : nullptr;
}

std::span<const job::TensorStep> ValidationRounds::steps_of(std::int64_t round) const {
  const auto [first, last] =
      std::equal_range(table_.steps.begin(), table_.steps.end(), job::TensorStep{.step = round},
                       [](const auto& a, const auto& b) { return a.step < b.step; });
  return {first, last};
}

ValidationRounds::Part ValidationRounds::part_of(const job::TensorStep& step,
                                                 job::Troubles& lost) const {
  Part part;
  std::vector<job::TensorSource::Wanted> wanted;
  for (const auto& tensor : {labels_, predictions_})
    if (const job::TensorRecord* record = record_of(step, tensor))
      wanted.push_back({*record, table_.names[*tensor]});
  if (wanted.empty()) return part;
  table_.source->load(
      step, wanted,
      [&](std::size_t i, const job::TensorData& data) {
        if (!data.numeric) return;
        if (!predictions_ || wanted[i].record.tensor != *predictions_) {
          part.labels = data.values;
          return;
        }
        part.predictions = data.values;
        if (data.shape.size() == 2 && data.shape[1] > 0)
          part.columns = static_cast<std::size_t>(data.shape[1]);
      },
      lost);
  return part;
}

/// Every worker's, of its last round that has them: they are the same in every round, and a hook
/// may have saved them in some only.
void ValidationRounds::find_last_labels(job::Troubles& lost) {
  if (!labels_) return;
  for (std::uint32_t worker = 0; worker < table_.workers.size(); ++worker) {
    const auto last =
        std::find_if(table_.steps.rbegin(), table_.steps.rend(), [&](const auto& step) {
          return step.worker == worker && record_of(step, labels_) != nullptr;
        });
    if (last == table_.steps.rend()) continue;
    Part part = part_of(*last, lost);
    if (!part.labels.empty()) last_labels_[worker] = std::move(part.labels);
  }
}

/// As the shape says; a plain row of labels times classes has them one after the other.
std::size_t ValidationRounds::columns_of(const Part& part) const {
  if (part.columns > 1 || part.labels.empty()) return part.columns;
  if (part.predictions.size() % part.labels.size() != 0) return 1;
  const std::size_t times = part.predictions.size() / part.labels.size();
  const bool expected = classes_ ? times == static_cast<std::size_t>(*classes_) : times > 2;
  return expected ? std::max<std::size_t>(times, 1) : 1;
}

ValidationRows ValidationRounds::load(std::int64_t round, job::Troubles& lost) const {
  ValidationRows rows;
  std::vector<Part> parts;
  for (const job::TensorStep& step : steps_of(round)) {
    Part part = part_of(step, lost);
    if (part.labels.empty() && part.predictions.empty()) continue;
    if (part.labels.empty()) {
      const auto known = last_labels_.find(step.worker);
      if (known != last_labels_.end()) {
        part.labels = known->second;
        rows.labels_reused = true;
      }
    }
    part.columns = columns_of(part);
    const bool fits = part.labels.empty() || part.predictions.empty() ||
                      part.labels.size() * part.columns == part.predictions.size();
    if (!fits) {
      rows.rows_differ = true;
      part.predictions.clear();
      part.columns = 1;
    }
    parts.push_back(std::move(part));
  }
  // Where one worker lacks what others have, rows could not be told apart any more.
  const auto complete = [](const Part& part) {
    return !part.labels.empty() && !part.predictions.empty();
  };
  if (std::any_of(parts.begin(), parts.end(), complete))
    std::erase_if(parts, [&](const Part& part) { return !complete(part); });
  if (parts.empty()) return rows;
  rows.workers = static_cast<std::int64_t>(parts.size());
  rows.columns = parts.front().columns;
  std::erase_if(parts, [&](const Part& part) { return part.columns != rows.columns; });
  const auto is_like_first = [&](const Part& part) {
    return part.labels == parts.front().labels && part.predictions == parts.front().predictions;
  };
  const bool alike =
      parts.size() == 1 || std::all_of(parts.begin() + 1, parts.end(), is_like_first);
  rows.workers_alike = alike && parts.size() > 1;
  rows.workers_joined = !alike;
  if (alike) parts.resize(1);
  for (Part& part : parts) {
    if (rows.labels.empty() && rows.predictions.empty()) {
      rows.labels = std::move(part.labels);
      rows.predictions = std::move(part.predictions);
      continue;
    }
    rows.labels.insert(rows.labels.end(), part.labels.begin(), part.labels.end());
    rows.predictions.insert(rows.predictions.end(), part.predictions.begin(),
                            part.predictions.end());
  }
  if (!rows.labels.empty() && !rows.predictions.empty() &&
      rows.labels.size() * rows.columns != rows.predictions.size()) {
    rows.rows_differ = true; // one worker's labels and another's predictions
    rows.predictions.clear();
  }
  rows.left_out = drop_not_finite(rows);
  return rows;
}

} // namespace debrief::aggregate
