// A long series as what a drawing has room for: columns of a few pixels, each with the least, the
// mean and the greatest of its samples. Gaps stay gaps: where nothing was sampled, nothing is
// drawn.
#pragma once

#include "util/time.h"

#include <cstddef>
#include <span>
#include <vector>

namespace debrief::chart {

/// Samples of one thing. `least` and `greatest` are those of the parts that `values` is the mean or
/// the sum of; empty: `values` is all there is. NaN: no sample.
struct Samples {
  std::span<const Microseconds> times; ///< rising
  std::span<const float> values;
  std::span<const float> least;
  std::span<const float> greatest;
};

/// Into how many columns a span is cut, and how long nothing may be sampled before that is a gap.
struct Grid {
  TimeSpan span;
  std::size_t columns = 1;
  Microseconds gap = 0;

  /// The column of a moment within the span.
  std::size_t column(Microseconds time) const;
};

/// What the samples of one column come to.
struct Column {
  std::size_t index = 0;
  Microseconds first = 0; ///< of its samples
  Microseconds last = 0;
  double time = 0; ///< the mean of their times
  float least = 0;
  float mean = 0;
  float greatest = 0;
  bool after_gap = true; ///< does not continue the column before
};

/// The columns that have samples, by time.
std::vector<Column> reduce(const Samples& samples, const Grid& grid);

/// Several series as one: the mean of their means, the least and the greatest of all.
std::vector<Column> merge(const std::vector<std::vector<Column>>& series, const Grid& grid);

/// The value of every column of the grid, for drawings without lines: a column without samples in
/// the middle of a stretch has that of the column before, NaN is a gap.
std::vector<float> cells(const std::vector<Column>& columns, std::size_t count);

/// A grid so fine that each sample has a column to itself, unless their times are equal.
Grid every_sample(const TimeSpan& span, Microseconds usual_interval);

/// A grid of at most `columns`, no finer than the interval, so that each column of a stretch has a
/// sample.
Grid grid_for(const TimeSpan& span, Microseconds usual_interval, std::size_t columns);

} // namespace debrief::chart
