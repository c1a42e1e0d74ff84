// How much the samples have to be thinned to fit: found by deflating some of them, since deflating
// all of them for every try would take longer than everything else.
#pragma once

#include "embed/bundle.h"

namespace debrief::embed {

class Plan {
public:
  explicit Plan(const Bundles& bundles);

  /// Thins until what is predicted fits into `bytes` of text, or nothing is left to thin. Groups
  /// give way in their order, each to as many points as a wide screen has pixels in half its width
  /// before the next is touched, and further only when all have; without any room that is where it
  /// ends. A group that thinning would make larger (three short arrays for one) stays as it is.
  void fit(double bytes);

  const Levels& levels() const { return levels_; }

  /// Bytes of text that arrays will take, in blocks and index.
  double total() const;

  /// Whether nothing can be thinned further.
  bool exhausted() const;

private:
  double predicted(std::size_t group) const;
  std::size_t points(std::size_t group) const;
  void thin(std::size_t group);

  const Bundles& bundles_;
  Levels levels_{1, 1, 1, 1};
  std::array<std::vector<const Bundle*>, kGroups> groups_;
  std::array<std::size_t, kGroups> longest_{}; ///< samples of a group's longest series
  std::array<double, kGroups> sizes_{};        ///< predicted at levels_
  std::array<bool, kGroups> incompressible_{}; ///< thinning makes it no smaller
};

} // namespace debrief::embed
