// Levels, noise and trends of logged values. Noise is no trouble: levels are medians of stretches,
// and a trend has to pass a rank test.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace debrief::findings {

/// Where the values that are not finite up to the end begin; the size where the last ones are
/// finite. A row or two that a script adds after them do not make a model whole again.
std::size_t broken_from(std::span<const double> values);

/// The median of `count` values from `first` on.
double level(std::span<const double> values, std::size_t first, std::size_t count);

/// Medians of equal stretches, at most kMaxStretches, so that a spike or a noisy batch moves none.
std::vector<double> stretches(std::span<const double> values);

/// How much values differ from their neighbors, as a standard deviation: a trend does not count.
double noise_of(std::span<const double> values);

/// How sure a trend is: Mann and Kendall's z, above 0 where values rise. At most a few hundred
/// values.
double trend_z(std::span<const double> values);

/// Whether values neither fall by more than their noise and a hundredth nor have a trend downwards
/// that amounts to anything. A fall by a fifth behind the first value counts, too.
bool is_flat(std::span<const double> values);

/// Whether there are enough values, with little enough noise, to see that they do not fall: a fall
/// by a seventh would show, of few values one by a hundredth.
bool is_enough_to_be_flat(std::span<const double> values);

/// Of few values: whether each is above the one before, and the last one far above the first.
bool rises_each_time(std::span<const double> values);

/// Whether values have a trend upwards.
bool is_rising(std::span<const double> values);

/// Whether values have a trend downwards.
bool is_falling(std::span<const double> values);

} // namespace debrief::findings
