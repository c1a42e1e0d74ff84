#include "aggregate/xgboost/classification.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace debrief::aggregate {

namespace {

constexpr double kMostClass = 1e9; ///< beyond it a whole number is a value

double share_of(std::int64_t part, std::int64_t whole) {
  return static_cast<double>(part) / static_cast<double>(whole);
}

std::optional<double> share_or_none(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? std::optional{share_of(part, whole)} : std::nullopt;
}

std::vector<std::int64_t> classes_in(std::span<const std::int64_t> labels,
                                     std::span<const std::int64_t> predictions) {
  std::set<std::int64_t> found{labels.begin(), labels.end()};
  found.insert(predictions.begin(), predictions.end());
  return {found.begin(), found.end()};
}

std::size_t place_in(std::span<const std::int64_t> classes, std::int64_t label) {
  return static_cast<std::size_t>(std::lower_bound(classes.begin(), classes.end(), label) -
                                  classes.begin());
}

/// Counts of a square matrix, label by label.
struct Counts {
  std::size_t size = 0;
  std::vector<std::int64_t> cells;

  std::int64_t at(std::size_t label, std::size_t predicted) const {
    return cells[label * size + predicted];
  }
};

Counts counted_pairs(std::span<const std::int64_t> classes, std::span<const std::int64_t> labels,
                     std::span<const std::int64_t> predictions) {
  Counts counts{classes.size(), std::vector<std::int64_t>(classes.size() * classes.size())};
  for (std::size_t row = 0; row < labels.size(); ++row)
    ++counts.cells[place_in(classes, labels[row]) * counts.size +
                   place_in(classes, predictions[row])];
  return counts;
}

std::vector<result::ClassRow> class_rows(std::span<const std::int64_t> classes,
                                         const Counts& counts) {
  std::vector<result::ClassRow> rows(classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) {
    result::ClassRow& row = rows[i];
    row.label = classes[i];
    row.right = counts.at(i, i);
    std::int64_t predicted = 0;
    for (std::size_t j = 0; j < classes.size(); ++j) {
      row.rows += counts.at(i, j);
      predicted += counts.at(j, i);
    }
    row.predicted = predicted;
    row.precision = share_or_none(*row.right, predicted);
    row.recall = share_or_none(*row.right, row.rows);
    row.f1 = share_or_none(2 * *row.right, row.rows + predicted);
  }
  return rows;
}

std::vector<result::Mistake> mistakes_in(std::span<const std::int64_t> classes,
                                         const Counts& counts) {
  std::vector<result::Mistake> out;
  for (std::size_t i = 0; i < classes.size(); ++i)
    for (std::size_t j = 0; j < classes.size(); ++j)
      if (i != j && counts.at(i, j) > 0) out.push_back({classes[i], classes[j], counts.at(i, j)});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.rows > b.rows; });
  if (out.size() > result::kMaxMistakes) out.resize(result::kMaxMistakes);
  return out;
}

void add_averages(result::Classification& out) {
  std::int64_t right = 0;
  std::int64_t rows = 0;
  result::ClassAverage macro{0, 0, 0};
  result::ClassAverage weighted{0, 0, 0};
  for (const result::ClassRow& row : out.classes) {
    right += *row.right;
    rows += row.rows;
    const auto add = [&](std::optional<double> result::ClassAverage::*average,
                         const std::optional<double>& value) {
      *(macro.*average) += value.value_or(0);
      *(weighted.*average) += value.value_or(0) * static_cast<double>(row.rows);
    };
    add(&result::ClassAverage::precision, row.precision);
    add(&result::ClassAverage::recall, row.recall);
    add(&result::ClassAverage::f1, row.f1);
  }
  if (rows == 0) return;
  for (auto average : {&result::ClassAverage::precision, &result::ClassAverage::recall,
                       &result::ClassAverage::f1}) {
    *(macro.*average) /= static_cast<double>(out.classes.size());
    *(weighted.*average) /= static_cast<double>(rows);
  }
  out.accuracy = share_of(right, rows);
  out.micro = {out.accuracy, out.accuracy, out.accuracy}; // each row has one label
  out.macro = macro;
  out.weighted = weighted;
}

} // namespace

bool are_classes(std::span<const double> values) {
  return std::all_of(values.begin(), values.end(), [](double value) {
    return value == std::round(value) && std::abs(value) <= kMostClass;
  });
}

std::optional<std::vector<std::int64_t>> distinct_classes(std::span<const double> values,
                                                          std::size_t most) {
  std::set<std::int64_t> found;
  for (const double value : values) {
    found.insert(static_cast<std::int64_t>(value));
    if (found.size() > most) return std::nullopt;
  }
  return std::vector<std::int64_t>{found.begin(), found.end()};
}

std::vector<std::int64_t> most_likely(std::span<const double> shares, std::size_t columns) {
  std::vector<std::int64_t> out;
  out.reserve(shares.size() / columns);
  for (std::size_t at = 0; at + columns <= shares.size(); at += columns) {
    const auto row = shares.subspan(at, columns);
    out.push_back(std::max_element(row.begin(), row.end()) - row.begin());
  }
  return out;
}

std::vector<std::int64_t> above_threshold(std::span<const double> values, double threshold) {
  std::vector<std::int64_t> out;
  out.reserve(values.size());
  for (const double value : values)
    out.push_back(value > threshold ? 1 : 0);
  return out;
}

std::vector<std::int64_t> as_classes(std::span<const double> values) {
  std::vector<std::int64_t> out;
  out.reserve(values.size());
  for (const double value : values)
    out.push_back(static_cast<std::int64_t>(value));
  return out;
}

result::Classification label_counts(std::span<const std::int64_t> labels) {
  result::Classification out;
  const std::vector<std::int64_t> classes = classes_in(labels, {});
  for (const std::int64_t label : classes)
    out.classes.emplace_back().label = label;
  for (const std::int64_t label : labels)
    ++out.classes[place_in(classes, label)].rows;
  return out;
}

result::Classification classification(std::span<const std::int64_t> labels,
                                      std::span<const std::int64_t> predictions) {
  result::Classification out;
  const std::vector<std::int64_t> classes = classes_in(labels, predictions);
  const Counts counts = counted_pairs(classes, labels, predictions);
  out.classes = class_rows(classes, counts);
  out.mistakes = mistakes_in(classes, counts);
  if (classes.size() <= result::kMaxMatrix)
    for (std::size_t i = 0; i < classes.size(); ++i) {
      const auto row = counts.cells.begin() + static_cast<std::ptrdiff_t>(i * classes.size());
      out.matrix.emplace_back(row, row + static_cast<std::ptrdiff_t>(classes.size()));
    }
  add_averages(out);
  return out;
}

std::vector<std::optional<double>> recalls(std::span<const std::int64_t> classes,
                                           std::span<const std::int64_t> labels,
                                           std::span<const std::int64_t> predictions) {
  std::vector<std::int64_t> rows(classes.size());
  std::vector<std::int64_t> right(classes.size());
  for (std::size_t row = 0; row < labels.size(); ++row) {
    const std::size_t place = place_in(classes, labels[row]);
    if (place == classes.size() || classes[place] != labels[row]) continue;
    ++rows[place];
    right[place] += labels[row] == predictions[row] ? 1 : 0;
  }
  std::vector<std::optional<double>> out;
  for (std::size_t i = 0; i < classes.size(); ++i)
    out.push_back(share_or_none(right[i], rows[i]));
  return out;
}

} // namespace debrief::aggregate
