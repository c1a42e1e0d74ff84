// Axes: a scale from values to pixels, and ticks at values that people count in.
#pragma once

#include "chart/svg.h"
#include "util/time.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::chart {

/// A line from values to pixels; a span without length lies at `to`'s beginning.
struct Scale {
  double low = 0;
  double high = 1;
  double from = 0; ///< pixel of `low`
  double to = 1;   ///< pixel of `high`

  double operator()(double value) const {
    return high > low ? from + (value - low) / (high - low) * (to - from) : from;
  }
};

struct Tick {
  double value = 0;
  std::string label;
};

/// About `count` ticks at 1, 2 or 5 times a power of ten between low and high.
std::vector<double> nice_values(double low, double high, std::size_t count);

/// The least 1, 2, 2.5 or 5 times a power of ten that is at least `value`; 1 where that is not
/// above 0.
double nice_ceiling(double value);

/// 0, 25, … 100; `unit` stands behind the last.
std::vector<Tick> percent_ticks(std::string_view unit = {});

/// Seconds with as many decimals as tell values so far apart from each other: "79.12 ms".
std::string exact_duration(double seconds, double apart);

/// Seconds as "0", "20 ms", "1.5 s", "2 min"; exact where that would make two of them alike.
std::vector<Tick> duration_ticks(double low, double high, std::size_t count);

std::vector<Tick> bytes_ticks(double high, std::size_t count);

/// Plain numbers with thousands grouped.
std::vector<Tick> count_ticks(double high, std::size_t count);

/// "1e-05" as people write it: "1e-5".
std::string short_exponent(std::string text);

/// Four digits that count, with a true minus: "12.5", "1e-5", "−3.1".
std::string value_text(double value);

/// Values with as many decimals as tell them apart.
std::vector<Tick> value_ticks(double low, double high, std::size_t count);

/// Moments at full seconds, minutes, hours or days: "11:09:15", "11:10", midnight as
/// "01-21"; values are
/// microseconds since the epoch.
std::vector<Tick> time_ticks(const TimeSpan& span, std::size_t count);

/// Draws ticks of a vertical axis: labels at the left of `x`, lines over `width`.
void draw_left_axis(Svg& svg, const Scale& scale, const std::vector<Tick>& ticks, double x,
                    double width);

/// Draws ticks of a horizontal axis below `y`; lines over `height` above it where that is not 0.
void draw_bottom_axis(Svg& svg, const Scale& scale, const std::vector<Tick>& ticks, double y,
                      double height);

} // namespace debrief::chart
