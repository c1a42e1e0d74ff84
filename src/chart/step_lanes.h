// One step: a lane per CPU thread and GPU stream, in it a level per depth of nesting, time across.
// What is too short to be told apart is drawn as one.
#pragma once

#include "chart/svg.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::chart {

struct StepLane {
  std::string name;
  std::size_t levels = 1; ///< more than kMaxLevels are cut
  bool has_gaps = false;  ///< StepLanes::gaps are marked on it
};

/// A time in which nothing ran, in seconds.
struct LaneGap {
  double from = 0;
  double to = 0;
};

struct LaneSlice {
  double from = 0; ///< seconds
  double to = 0;
  std::size_t lane = 0;
  std::size_t level = 0;
  std::size_t kind = 0; ///< in StepLanes::kinds
  std::string_view name;
  bool underlined = false;
};

/// What a slice can be: the legend's key is its number.
struct SliceLook {
  std::string name;
  Color color;
};

struct StepLanes {
  std::string label; ///< what the drawing shows, in words
  double seconds = 0;
  double mark = 0; ///< where the step ends; 0 or `seconds`: no mark
  std::vector<StepLane> lanes;
  std::vector<LaneSlice> slices; ///< by lane, then start
  std::vector<SliceLook> kinds;
  std::vector<LaneGap> gaps = {};
};

inline constexpr std::size_t kMaxLevels = 10;
inline constexpr std::size_t kMaxStepLanes = 12;

std::string step_lanes(const StepLanes& step);

} // namespace debrief::chart
