#include "custom_rules/sliding_window.h"

#include <cmath>

namespace debrief::custom_rules {

void SlidingWindow::push() {
  const double value = values_[end_];
  sum_ += value - bound_;
  if (value < bound_) {
    ++below_;
    while (!nearest_below_.empty() && values_[nearest_below_.back()] <= value)
      nearest_below_.pop_back();
    nearest_below_.push_back(end_);
  } else if (value == bound_) {
    ++equal_;
  } else {
    while (!nearest_above_.empty() && values_[nearest_above_.back()] >= value)
      nearest_above_.pop_back();
    nearest_above_.push_back(end_);
  }
  ++end_;
}

void SlidingWindow::pop() {
  const double value = values_[begin_];
  sum_ -= value - bound_;
  if (value < bound_)
    --below_;
  else if (value == bound_)
    --equal_;
  for (auto* nearest : {&nearest_below_, &nearest_above_})
    if (!nearest->empty() && nearest->front() == begin_) nearest->pop_front();
  ++begin_;
  if (begin_ == end_) sum_ = 0; // what rounding left
}

int SlidingWindow::side_of_rank(std::size_t rank) const {
  if (rank < below_) return -1;
  return rank < below_ + equal_ ? 0 : 1;
}

double SlidingWindow::side_of_quantile(double share) const {
  const double position = share * static_cast<double>(size() - 1);
  const auto rank = static_cast<std::size_t>(position);
  const double part = position - std::floor(position);
  const int lower = side_of_rank(rank);
  if (part == 0) return lower;
  const int upper = side_of_rank(rank + 1);
  if (lower == upper || lower == 0) return upper;
  if (upper == 0) return lower;
  // The two ranks lie on either side: they are the nearest to the bound.
  const double low = values_[nearest_below_.front()];
  const double high = values_[nearest_above_.front()];
  return low + part * (high - low) - bound_;
}

double SlidingWindow::side() const {
  return share_ ? side_of_quantile(*share_) : sum_;
}

} // namespace debrief::custom_rules
