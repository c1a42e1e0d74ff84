#include "rules/model/reduce.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::rules::model {

namespace {

using job::Reduction;

/// The reduction of the values themselves that an absolute one is of their amounts.
Reduction of_amounts(Reduction reduction) {
  constexpr auto kShift =
      static_cast<std::uint8_t>(Reduction::abs_min) - static_cast<std::uint8_t>(Reduction::min);
  return static_cast<Reduction>(static_cast<std::uint8_t>(reduction) - kShift);
}

/// `value(i)` is called for each of `count` values.
template <typename Value>
double reduce_plain(std::size_t count, Reduction reduction, const Value& value) {
  double sum = 0;
  double product = 1;
  double amounts = 0;
  double squares = 0;
  double lowest = value(0);
  double highest = value(0);
  for (std::size_t i = 0; i < count; ++i) {
    const double one = value(i);
    sum += one;
    product *= one;
    amounts += std::abs(one);
    squares += one * one;
    lowest = std::isnan(one) || one < lowest ? one : lowest;
    highest = std::isnan(one) || one > highest ? one : highest;
  }
  const double mean = sum / static_cast<double>(count);
  switch (reduction) {
  case Reduction::min:
    return lowest;
  case Reduction::max:
    return highest;
  case Reduction::mean:
    return mean;
  case Reduction::sum:
    return sum;
  case Reduction::prod:
    return product;
  case Reduction::l1:
    return amounts;
  case Reduction::l2:
    return std::sqrt(squares);
  default:
    break;
  }
  double spread = 0;
  for (std::size_t i = 0; i < count; ++i)
    spread += (value(i) - mean) * (value(i) - mean);
  const double variance = spread / static_cast<double>(count);
  return reduction == Reduction::std ? std::sqrt(variance) : variance;
}

} // namespace

std::optional<double> reduce(std::span<const double> values, Reduction reduction) {
  if (values.empty() || reduction == Reduction::none) return std::nullopt;
  if (reduction < Reduction::abs_min)
    return reduce_plain(values.size(), reduction, [&](std::size_t i) { return values[i]; });
  return reduce_plain(values.size(), of_amounts(reduction),
                      [&](std::size_t i) { return std::abs(values[i]); });
}

} // namespace debrief::rules::model
