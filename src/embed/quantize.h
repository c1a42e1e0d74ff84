// Values and times as whole numbers, precise enough for a chart and small when deflated.
#pragma once

#include "util/time.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace debrief::embed {

/// What 1 stands for in percent: of whole nodes, of devices, and of devices where there is room.
/// A quarter of a percent of error is less than a pixel of any chart.
inline constexpr double kNodePercent = 0.01;
inline constexpr double kDevicePercent = 0.5;
inline constexpr double kFineDevicePercent = 0.1;

/// Steps per doubling of the logarithmic scale, for what goes over many orders of magnitude.
inline constexpr double kStepsPerDoubling = 1600;

/// The scale of a metric's values: `percent` for "%", else 0, the logarithmic one. That one is also
/// for percentages that are so wrong that they do not fit.
double scale_for(std::span<const float> values, std::string_view unit, double percent);

/// Of durations in seconds: a power of ten that leaves the median four digits, at least 1 µs.
double scale_for_durations(std::span<const float> seconds);

/// Of rising times, in milliseconds: a power of ten that is at most a `part`-th of the usual
/// distance, at least 10 µs; greater where the times would not fit.
double scale_for_times(std::span<const Microseconds> times, Microseconds start, double part);

/// Samples are points; steps are bars, whose ends show more of an error.
inline constexpr double kPartOfSample = 100;
inline constexpr double kPartOfStep = 1000;

/// NaN becomes kNoSample; negative values do not occur.
std::vector<std::uint32_t> quantized(std::span<const float> values, double scale);

/// In units of `scale` milliseconds after `start`.
std::vector<std::uint32_t> quantized(std::span<const Microseconds> times, Microseconds start,
                                     double scale);

/// What stands for each run of `every` samples. A run without any sample has NaN.
struct Thinned {
  std::vector<float> mean;
  std::vector<float> min;
  std::vector<float> max;
};

Thinned thinned(std::span<const float> values, std::size_t every);

/// The first of each run.
std::vector<Microseconds> thinned(std::span<const Microseconds> times, std::size_t every);

} // namespace debrief::embed
