#include "rules/model/classes.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace debrief::rules::model {

namespace {

constexpr std::size_t kMostClasses = 50; ///< of the first step's labels; more are values
constexpr double kMostLabel = 1e9;

bool is_class(double value) {
  return value == std::round(value) && std::abs(value) <= kMostLabel;
}

std::vector<std::int64_t> whole(const std::vector<double>& values) {
  std::vector<std::int64_t> out;
  out.reserve(values.size());
  for (const double value : values)
    out.push_back(std::abs(value) <= kMostLabel ? static_cast<std::int64_t>(value) : -1);
  return out;
}

/// Where each row of probabilities has its maximum.
std::vector<std::int64_t> arg_max(const std::vector<double>& values, std::size_t columns) {
  std::vector<std::int64_t> out;
  for (std::size_t row = 0; row + columns <= values.size(); row += columns) {
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(row);
    out.push_back(std::max_element(begin, begin + static_cast<std::ptrdiff_t>(columns)) - begin);
  }
  return out;
}

/// Classes as they are, of probabilities the most likely one; a single probability counts from 0.5
/// on.
std::vector<std::int64_t> predicted(const job::TensorData& data, bool argmax,
                                    std::int64_t& columns) {
  const bool table = data.shape.size() == 2 && data.shape[1] > 1;
  if (table || (argmax && !data.shape.empty() && data.shape.back() > 0)) {
    columns = data.shape.back();
    return arg_max(data.values, static_cast<std::size_t>(columns));
  }
  if (std::all_of(data.values.begin(), data.values.end(), is_class)) return whole(data.values);
  std::vector<std::int64_t> out;
  for (const double value : data.values)
    out.push_back(value > 0.5 ? 1 : 0);
  return out;
}

std::optional<std::uint32_t> first_match(const TensorNames& names, const std::string& pattern) {
  const std::array<std::string, 1> patterns = {pattern};
  const TensorIds found = names.matching(patterns);
  return found.empty() ? std::nullopt : std::optional{found.front()};
}

TensorIds both(const std::optional<std::uint32_t>& a, const std::optional<std::uint32_t>& b) {
  std::set<std::uint32_t> ids;
  if (a) ids.insert(*a);
  if (b) ids.insert(*b);
  return {ids.begin(), ids.end()};
}

} // namespace

ClassWatch::ClassWatch(const WatchScope& scope, const std::string& labels_pattern,
                       const std::string& predictions_pattern, bool argmax, Firings& firings)
    : RuleWatch(both(first_match(scope.names, labels_pattern),
                     first_match(scope.names, predictions_pattern)),
                firings)
    , labels_(first_match(scope.names, labels_pattern))
    , predictions_(first_match(scope.names, predictions_pattern))
    , argmax_(argmax) {
  if (labels_)
    labels_name_ = scope.names[*labels_];
  else
    firings.explain(fmt::format("no saved tensor matches {}", labels_pattern));
}

void ClassWatch::see(const SeenTensor& tensor) {
  if (!tensor.has_numbers()) return;
  if (labels_ && tensor.tensor == *labels_) {
    const std::vector<double>& values = tensor.data->values;
    if (!are_classes_)
      are_classes_ = std::all_of(values.begin(), values.end(), is_class) &&
                     std::set<double>(values.begin(), values.end()).size() <= kMostClasses;
    if (!*are_classes_) return;
    current_.labels = whole(values);
    seen_ = true;
  }
  if (predictions_ && tensor.tensor == *predictions_)
    current_.predictions = predicted(*tensor.data, argmax_, current_.columns);
}

void ClassWatch::end_step(const job::TensorStep& step) {
  if (seen_) {
    current_.step = step.step;
    if (current_.predictions.size() != current_.labels.size()) current_.predictions.clear();
    judge(current_);
  }
  seen_ = false;
  current_ = {};
}

void ClassWatch::finish() {
  if (are_classes_ && !*are_classes_)
    firings().explain(fmt::format("{} has values, not classes", labels_name_));
  else if (labels_)
    firings().explain(fmt::format("{} has no numbers", labels_name_));
}

} // namespace debrief::rules::model
