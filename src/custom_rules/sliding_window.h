// A quantile or the mean of a window that slides over samples, compared with one bound. What it
// costs grows with the samples alone, however long the window is: for a comparison it is enough to
// know how many values lie on either side of the bound, and the two nearest to it.
#pragma once

#include "custom_rules/condition.h"

#include <cstddef>
#include <deque>
#include <span>

namespace debrief::custom_rules {

class SlidingWindow {
public:
  /// `values` are finite and outlive this.
  SlidingWindow(std::span<const double> values, const Statistic& statistic, double bound)
      : values_(values)
      , share_(statistic.share)
      , bound_(bound) {}

  /// Takes the next sample in.
  void push();

  /// Lets the oldest one go.
  void pop();

  std::size_t size() const { return end_ - begin_; }

  /// Below 0 where the statistic is below the bound, 0 where it is the bound, else above 0. Not of
  /// an empty window.
  double side() const;

private:
  double side_of_quantile(double share) const;

  /// On which side of the bound the value of this rank lies, from 0.
  int side_of_rank(std::size_t rank) const;

  std::span<const double> values_;
  std::optional<double> share_;
  double bound_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  double sum_ = 0; ///< of distances to the bound
  std::size_t below_ = 0;
  std::size_t equal_ = 0;
  /// Samples that may yet be the nearest below and above the bound; the nearest is in front.
  std::deque<std::size_t> nearest_below_;
  std::deque<std::size_t> nearest_above_;
};

} // namespace debrief::custom_rules
