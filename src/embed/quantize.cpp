#include "embed/quantize.h"

#include "embed/packed_arrays.h"
#include "util/median.h"
#include "util/sample_times.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace debrief::embed {

namespace {

/// One less than the greatest number of four bytes, which stands for "no sample", and a little less
/// than that, so that rounding cannot reach it.
constexpr double kMaxValue = 4'294'967'000.0;

float greatest(std::span<const float> values) {
  float largest = 0;
  for (const float value : values)
    if (value > largest) largest = value; // false for NaN
  return largest;
}

/// The greatest power of ten that is at most `limit`, not less than 10^least, and grown until
/// `largest` fits.
double power_of_ten(double limit, int least, double largest) {
  int exponent = limit > 0 ? static_cast<int>(std::floor(std::log10(limit) + 1e-9)) : least;
  exponent = std::max(exponent, least);
  while (largest / std::pow(10.0, exponent) > kMaxValue)
    ++exponent;
  return std::pow(10.0, exponent);
}

} // namespace

double scale_for(std::span<const float> values, std::string_view unit, double percent) {
  return unit == "%" && greatest(values) / percent < kMaxValue ? percent : 0;
}

double scale_for_durations(std::span<const float> seconds) {
  return power_of_ten(median(std::vector<float>(seconds.begin(), seconds.end())) / 1000, -6,
                      greatest(seconds));
}

double scale_for_times(std::span<const Microseconds> times, Microseconds start, double part) {
  const double latest = times.empty() ? 0 : static_cast<double>(times.back() - start) / 1000;
  return power_of_ten(static_cast<double>(usual_interval(times)) / 1000 / part, -2, latest);
}

std::vector<std::uint32_t> quantized(std::span<const float> values, double scale) {
  std::vector<std::uint32_t> out(values.size());
  if (scale > 0) {
    const double factor = 1 / scale;
    for (std::size_t i = 0; i < values.size(); ++i)
      out[i] = std::isnan(values[i])
                   ? kNoSample
                   : static_cast<std::uint32_t>(static_cast<double>(values[i]) * factor + 0.5);
    return out;
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double value = std::min(values[i], std::numeric_limits<float>::max());
    out[i] = std::isnan(values[i])
                 ? kNoSample
                 : static_cast<std::uint32_t>(std::log2(1 + value) * kStepsPerDoubling + 0.5);
  }
  return out;
}

std::vector<std::uint32_t> quantized(std::span<const Microseconds> times, Microseconds start,
                                     double scale) {
  std::vector<std::uint32_t> out(times.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    out[i] = static_cast<std::uint32_t>(
        std::llround(static_cast<double>(times[i] - start) / (1000 * scale)));
  return out;
}

Thinned thinned(std::span<const float> values, std::size_t every) {
  Thinned out;
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  for (std::size_t from = 0; from < values.size(); from += every) {
    double sum = 0;
    std::size_t count = 0;
    float least = kInfinity;
    float most = -kInfinity;
    for (const float value : values.subspan(from, std::min(every, values.size() - from))) {
      if (std::isnan(value)) continue;
      sum += value;
      ++count;
      least = std::min(least, value);
      most = std::max(most, value);
    }
    constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
    out.mean.push_back(count > 0 ? static_cast<float>(sum / static_cast<double>(count)) : kMissing);
    out.min.push_back(count > 0 ? least : kMissing);
    out.max.push_back(count > 0 ? most : kMissing);
  }
  return out;
}

std::vector<Microseconds> thinned(std::span<const Microseconds> times, std::size_t every) {
  std::vector<Microseconds> out;
  for (std::size_t from = 0; from < times.size(); from += every)
    out.push_back(times[from]);
  return out;
}

} // namespace debrief::embed
