#include "aggregate/statistics.h"
#include "custom_rules/sliding_window.h"

#include <catch2/catch_test_macros.hpp>

#include <array>
#include <random>
#include <vector>

namespace test_sliding_window {

using namespace debrief;
using namespace debrief::custom_rules;

namespace {

int sign(double value) {
  return value < 0 ? -1 : value > 0 ? 1 : 0;
}

/// What the statistic of some values is, in the plain way.
double plain(std::span<const double> values, const Statistic& statistic) {
  std::vector<double> copy(values.begin(), values.end());
  if (statistic.share) return aggregate::quantiles(copy, std::array{*statistic.share}).front();
  double sum = 0;
  for (const double value : copy)
    sum += value;
  return sum / static_cast<double>(copy.size());
}

} // namespace

TEST_CASE("a window that slides says of each of its positions what a plain computation says") {
  std::mt19937 random{1};
  // Halves: sums and distances are exact, and many values are equal to the bound.
  std::vector<double> values;
  for (int i = 0; i < 400; ++i)
    values.push_back(static_cast<double>(random() % 21) / 2);
  for (const Statistic& statistic :
       {Statistic{"min", 0.0}, Statistic{"p25", 0.25}, Statistic{"p50", 0.5},
        Statistic{"p75", 0.75}, Statistic{"max", 1.0}, Statistic{"mean", std::nullopt}})
    for (const std::size_t width : {1U, 2U, 5U, 16U, 99U})
      for (const double bound : {0.0, 4.75, 5.0, 10.0, 11.0}) {
        SlidingWindow window{values, statistic, bound};
        std::size_t wrong = 0;
        for (std::size_t end = 1; end <= values.size(); ++end) {
          window.push();
          if (window.size() > width) window.pop();
          const auto shown = std::span{values}.subspan(end - window.size(), window.size());
          if (sign(window.side()) != sign(plain(shown, statistic) - bound)) ++wrong;
        }
        INFO(statistic.name << " of " << width << " against " << bound);
        CHECK(wrong == 0);
      }
}

} // namespace test_sliding_window
