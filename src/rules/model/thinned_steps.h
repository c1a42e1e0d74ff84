// Values over steps, as many as a chart can show however long the job was: where there are more,
// neighbors become one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace debrief::rules::model {

template <typename Value>
class ThinnedSteps {
public:
  struct Point {
    std::int64_t step = 0; ///< the first of those that it stands for
    Value value;
  };

  /// `most` is even.
  explicit ThinnedSteps(std::size_t most)
      : most_(most) {}

  /// Steps come in their order. `merge(kept, next)` makes one value of two.
  template <typename Merge>
  void add(std::int64_t step, const Value& value, const Merge& merge) {
    if (!points_.empty() && in_last_ < stride_) {
      points_.back().value = merge(points_.back().value, value);
      ++in_last_;
      return;
    }
    if (points_.size() == most_) {
      for (std::size_t at = 0; at < most_ / 2; ++at)
        points_[at] = {points_[2 * at].step,
                       merge(points_[2 * at].value, points_[2 * at + 1].value)};
      points_.resize(most_ / 2);
      stride_ *= 2;
    }
    points_.push_back({step, value});
    in_last_ = 1;
  }

  const std::vector<Point>& points() const { return points_; }

private:
  std::size_t most_;
  std::size_t stride_ = 1;  ///< values that a point stands for
  std::size_t in_last_ = 0; ///< of them, in the last one
  std::vector<Point> points_;
};

} // namespace debrief::rules::model
