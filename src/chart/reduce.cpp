#include "chart/reduce.h"

#include "util/sample_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace debrief::chart {

namespace {

/// Adds up a column; sums are in double, times relative to the first of them.
struct Sum {
  Column column;
  double time = 0;
  double value = 0;
  double count = 0;

  void add(Microseconds at, float value_at, float least, float greatest) {
    if (count == 0) {
      column.first = at;
      column.least = least;
      column.greatest = greatest;
    }
    column.last = at;
    column.least = std::min(column.least, least);
    column.greatest = std::max(column.greatest, greatest);
    time += static_cast<double>(at - column.first);
    value += static_cast<double>(value_at);
    ++count;
  }

  Column finish() {
    column.time = static_cast<double>(column.first) + time / count;
    column.mean = static_cast<float>(value / count);
    return column;
  }
};

void mark_gaps(std::vector<Column>& columns, Microseconds gap) {
  for (std::size_t at = 1; at < columns.size(); ++at)
    columns[at].after_gap = columns[at].first - columns[at - 1].last > gap;
}

} // namespace

std::size_t Grid::column(Microseconds time) const {
  if (span.length() <= 0) return 0;
  const double share = static_cast<double>(time - span.first) / static_cast<double>(span.length());
  return std::min(static_cast<std::size_t>(share * static_cast<double>(columns)), columns - 1);
}

namespace {

/// The first time behind a column, by the same rounding as Grid::column.
Microseconds end_of(std::size_t index, const Grid& grid) {
  if (index + 1 >= grid.columns || grid.span.length() <= 0) return INT64_MAX;
  const double share = static_cast<double>(index + 1) / static_cast<double>(grid.columns);
  Microseconds end =
      grid.span.first + static_cast<Microseconds>(share * static_cast<double>(grid.span.length()));
  while (grid.column(end) <= index)
    ++end;
  while (end > grid.span.first && grid.column(end - 1) > index)
    --end;
  return end;
}

} // namespace

std::vector<Column> reduce(const Samples& samples, const Grid& grid) {
  std::vector<Column> out;
  Sum sum;
  std::size_t index = 0;
  Microseconds begin =
      0; // of the column at hand, and its end: most samples lie in that of the last
  Microseconds end = 0;
  const auto flush = [&] {
    if (sum.count > 0) out.push_back(sum.finish());
  };
  for (std::size_t at = 0; at < samples.times.size(); ++at) {
    const float value = samples.values[at];
    if (!std::isfinite(value) || !grid.span.contains(samples.times[at])) continue;
    if (samples.times[at] < begin || samples.times[at] >= end) {
      index = grid.column(samples.times[at]);
      begin = samples.times[at];
      end = end_of(index, grid);
    }
    if (sum.count > 0 && index != sum.column.index) {
      flush();
      sum = {};
    }
    sum.column.index = index;
    const float least = samples.least.empty() ? value : samples.least[at];
    const float greatest = samples.greatest.empty() ? value : samples.greatest[at];
    sum.add(samples.times[at], value, std::min(least, value), std::max(greatest, value));
  }
  flush();
  mark_gaps(out, grid.gap);
  return out;
}

std::vector<Column> merge(const std::vector<std::vector<Column>>& series, const Grid& grid) {
  std::vector<Sum> sums(grid.columns);
  for (const std::vector<Column>& columns : series)
    for (const Column& column : columns) {
      Sum& sum = sums.at(column.index);
      sum.column.index = column.index;
      sum.column.first = sum.count > 0 ? std::min(sum.column.first, column.first) : column.first;
      sum.column.last = std::max(sum.column.last, column.last);
      sum.column.least = sum.count > 0 ? std::min(sum.column.least, column.least) : column.least;
      sum.column.greatest =
          sum.count > 0 ? std::max(sum.column.greatest, column.greatest) : column.greatest;
      sum.time += column.time - static_cast<double>(grid.span.first);
      sum.value += static_cast<double>(column.mean);
      ++sum.count;
    }
  std::vector<Column> out;
  for (Sum& sum : sums) {
    if (sum.count == 0) continue;
    out.push_back(sum.column);
    out.back().time = static_cast<double>(grid.span.first) + sum.time / sum.count;
    out.back().mean = static_cast<float>(sum.value / sum.count);
  }
  mark_gaps(out, grid.gap);
  return out;
}

std::vector<float> cells(const std::vector<Column>& columns, std::size_t count) {
  std::vector<float> out(count, std::numeric_limits<float>::quiet_NaN());
  const Column* before = nullptr;
  for (const Column& column : columns) {
    if (before != nullptr && !column.after_gap)
      for (std::size_t at = before->index + 1; at < column.index; ++at)
        out.at(at) = before->mean;
    out.at(column.index) = column.mean;
    before = &column;
  }
  return out;
}

Grid every_sample(const TimeSpan& span, Microseconds usual_interval) {
  return {span, static_cast<std::size_t>(span.length()) + 1, max_interval(usual_interval)};
}

Grid grid_for(const TimeSpan& span, Microseconds usual_interval, std::size_t columns) {
  std::size_t most = std::max<std::size_t>(columns, 1);
  if (usual_interval > 0 && span.length() > 0) {
    const auto fitting = static_cast<std::size_t>(span.length() / usual_interval);
    most = std::clamp<std::size_t>(fitting, 1, most);
  }
  return {span, most, max_interval(usual_interval)};
}

} // namespace debrief::chart
