// What is thinned and stored together: series that share their times. A node's metric is one, its
// devices another, the steps of a process in a mode a third.
#pragma once

#include "embed/packed_arrays.h"
#include "result/timeline.h"

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <utility>
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

/// The arrays of a series; `min` and `max` only where points stand for several samples.
template <typename Of>
struct SeriesArrays {
  Of mean;
  std::optional<Of> min;
  std::optional<Of> max;
};

template <typename Of>
struct BundleArrays {
  std::size_t every = 1;
  Of times;
  std::vector<SeriesArrays<Of>> series;
};

/// Where they lie.
using SeriesPlace = SeriesArrays<Array>;
using BundlePlace = BundleArrays<Array>;

/// Before they have a place in a block.
using PackedSeries = SeriesArrays<PackedArray>;
using PackedBundle = BundleArrays<PackedArray>;

/// Of bundles in their order. Series are packed one by one on all cores: a job may have one node
/// with hundreds of them.
std::vector<PackedBundle> pack_bundles(std::span<const Bundle* const> bundles, Microseconds start,
                                       const Levels& levels);

BundlePlace add_bundle(PackedArrays& block, const PackedBundle& bundle);

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

  std::vector<StepColumns> step_columns_; ///< bundles refer to its elements
};

// How much the samples have to be thinned to fit: found by deflating some of them, since deflating
// all of them for every try would take longer than everything else.

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
  using Try = std::pair<std::size_t, std::size_t>; ///< a group, and samples that a point stands for

  /// Bytes that a group takes if each of its points stands for `every` samples.
  double size_at(std::size_t group, std::size_t every);
  /// Adds what is likely to be asked for next, to as many as there are cores.
  void ask_on(std::vector<Try>& asked, std::size_t group, std::size_t every) const;
  void try_all(const std::vector<Try>& asked);
  double predicted(std::size_t group, std::size_t every) const;
  std::size_t points(std::size_t group) const;
  void thin(std::size_t group);

  const Bundles& bundles_;
  Levels levels_{1, 1, 1, 1};
  std::array<std::vector<const Bundle*>, kGroups> groups_;
  std::array<std::size_t, kGroups> longest_{}; ///< samples of a group's longest series
  std::array<double, kGroups> sizes_{};        ///< predicted at levels_
  std::map<Try, double> tried_;
  std::array<bool, kGroups> incompressible_{}; ///< thinning makes it no smaller
};

} // namespace debrief::embed
