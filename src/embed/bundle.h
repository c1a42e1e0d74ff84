// What is thinned and stored together: series that share their times. A node's metric is one, its
// devices another, the steps of a process in a mode a third.
#pragma once

#include "embed/block.h"
#include "result/timeline.h"

#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace debrief::embed {

/// What is thinned by one measure, in the order in which it gives way where samples do not fit.
enum class Group : std::size_t { cores, gpus, steps, nodes };
inline constexpr std::size_t kGroups = 4;

/// How many samples one point stands for, by group.
using Levels = std::array<std::size_t, kGroups>;

struct Series {
  std::span<const float> values;
  double scale = 1;
};

struct Bundle {
  Group group = Group::nodes;
  std::span<const Microseconds> times;
  double time_scale = 1; ///< milliseconds
  std::vector<Series> series;
};

/// Where a series lies; `min` and `max` only where points stand for several samples.
struct SeriesPlace {
  Array mean;
  std::optional<Array> min;
  std::optional<Array> max;
};

struct BundlePlace {
  std::size_t every = 1;
  Array times;
  std::vector<SeriesPlace> series;
};

Array add_times(Block& block, const Bundle& bundle, Microseconds start, std::size_t every);
SeriesPlace add_series(Block& block, const Series& series, std::size_t every);
BundlePlace add_bundle(Block& block, const Bundle& bundle, Microseconds start,
                       const Levels& levels);

/// What times count from: the timeline's first whole millisecond.
inline Microseconds start_of(const result::Timeline& timeline) {
  return timeline.span.first / 1000 * 1000;
}

/// A timeline as bundles, in its order. It refers to the timeline, which must outlive it.
class Bundles {
public:
  struct Metric {
    Bundle whole;
    std::optional<Bundle> devices;
  };

  /// `percent` is the scale of devices' percentages.
  Bundles(const result::Timeline& timeline, double percent);

  std::vector<std::vector<Metric>> nodes; ///< as Timeline::nodes and their metrics
  std::vector<Bundle> steps;              ///< as Timeline::steps
  Microseconds start;                     ///< of the timeline

  std::vector<const Bundle*> of(Group group) const;

private:
  struct StepColumns {
    std::vector<Microseconds> starts;
    std::vector<float> seconds;
  };

  std::deque<StepColumns> step_columns_; ///< a deque, since bundles refer to its elements
};

} // namespace debrief::embed
